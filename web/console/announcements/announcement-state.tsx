import type { Announcement } from '../../../sdk/src/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

const kinds: Record<Announcement['state'], PillKind> = {
  draft: 'plain',
  scheduled: 'accent',
  sending: 'accent',
  paused: 'warn',
  sent: 'good',
  cancelled: 'bad',
  series: 'plain',
};

export function AnnouncementPill({ state }: Pick<Announcement, 'state'>) {
  return <Pill kind={kinds[state]}>{t(`console-announcements.state.${state}`)}</Pill>;
}

/** The subject in the first language that it has. */
export function subjectOf({ texts }: Pick<Announcement, 'texts'>): string {
  const language = languages.find((one) => texts[one] !== undefined);
  return (language && texts[language]?.subject) ?? '';
}
