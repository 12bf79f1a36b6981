import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function PayoutDetailsScreen() {
  return <Screen title={t('portal.nav.payoutDetails')}>{null}</Screen>;
}
