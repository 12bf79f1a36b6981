import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function Home() {
  return <Screen title={t('portal.nav.home')}>{null}</Screen>;
}
