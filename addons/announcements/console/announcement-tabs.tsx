import { Segmented } from '../../../web/ui/segmented.tsx';
import { t } from '../../../web/words.ts';

export const PATH = '/console/announcements';
export const SERIES_PATH = `${PATH}?tab=series`;

const tabs = ['announcements', 'series'] as const;

/** An announcement is sent once to many; a series to each person when something happens to it. */
export function AnnouncementTabs({ current }: { current: (typeof tabs)[number] }) {
  return (
    <Segmented
      label={t('console-announcements.tabs')}
      current={current}
      options={tabs.map((value) => ({ value, label: t(`console-announcements.tab.${value}`) }))}
      hrefOf={(value) => (value === 'series' ? SERIES_PATH : PATH)}
    />
  );
}
