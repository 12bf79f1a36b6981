import { useLocation } from 'wouter-preact';
import { Segmented } from '../ui/segmented.tsx';
import { t } from '../words.ts';
import type { ConsoleScreen } from './screens.ts';

/** The other screens of the section that the current screen belongs to; nothing above one object or an only screen. */
export function SectionTabs({ screens }: { screens: readonly ConsoleScreen[] }) {
  const [path] = useLocation();
  const current = screens.find((one) => one.path === path);
  const tabs = screens.filter(({ lead }) => lead === current?.lead);
  // The tabs of commission are its own: bonuses and groups have addresses of their own.
  if (!current || tabs.length < 2 || current.section === 'rewards') return null;
  return (
    <Segmented
      label={t('console.section.tabs')}
      current={path}
      options={tabs.map(({ name, path: value }) => ({ value, label: t(`console.nav.${name}`) }))}
      hrefOf={(value) => value}
    />
  );
}
