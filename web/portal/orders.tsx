import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function Orders() {
  return <Screen title={t('portal.nav.orders')}>{null}</Screen>;
}
