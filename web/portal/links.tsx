import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function Links() {
  return <Screen title={t('portal.nav.links')}>{null}</Screen>;
}
