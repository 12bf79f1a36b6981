import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function MoneyScreen() {
  return <Screen title={t('portal.nav.money')}>{null}</Screen>;
}
