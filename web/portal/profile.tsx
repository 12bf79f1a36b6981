import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function Profile() {
  return <Screen title={t('portal.nav.profile')}>{null}</Screen>;
}
