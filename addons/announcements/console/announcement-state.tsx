import type { Announcement } from '../../../sdk/src/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';
import { useLacksMailServer } from './mail-server.tsx';

const kinds: Record<Announcement['state'], PillKind> = {
  draft: 'plain',
  scheduled: 'accent',
  sending: 'accent',
  paused: 'warn',
  sent: 'good',
  cancelled: 'bad',
  series: 'plain',
};

/** Its state; that it waits, where there is no mail server that could send it. */
export function AnnouncementPill({ announcement: { state, figures } }: AnnouncementProps) {
  const lacksServer = useLacksMailServer();
  if (lacksServer && state === 'sending' && figures.waiting > 0) {
    return <Pill kind="warn">{t('console-announcements.waitsForServer')}</Pill>;
  }
  return <Pill kind={kinds[state]}>{t(`console-announcements.state.${state}`)}</Pill>;
}

interface AnnouncementProps {
  announcement: Announcement;
}

/** How many people have it, and how many by each of its channels. A cancelled one is not in the portal. */
export function reachedOf({ channels, figures, state }: Announcement) {
  const isShown = channels.includes('portal') && state !== 'cancelled';
  const portal = isShown ? figures.receivers : 0;
  const mail = figures.sent;
  return { reached: Math.max(portal, mail), portal, mail };
}

/** The subject in the first language that it has. */
export function subjectOf({ texts }: Pick<Announcement, 'texts'>): string {
  const language = languages.find((one) => texts[one] !== undefined);
  return (language && texts[language]?.subject) ?? '';
}
