import { isAdmin, type Caller } from '../../src/kernel/declare/caller.ts';
import { ApiError, defineError } from '../../src/kernel/declare/errors.ts';
import { MINUTE_MS } from '../../src/shared/durations.ts';
import type { Side, ThreadRow } from './tables.ts';

/** A mail waits so long, because further messages often follow, and because the reader may be there. */
const MAIL_AFTER_MS = 2 * MINUTE_MS;
/** The time between two mails about the same thread to the same side. */
const MAIL_PAUSE_MS = 30 * MINUTE_MS;

/** What one affiliate may send on a day: the team reads all of it. */
const DAILY_MESSAGES_MAX = 100;

export const tooManyMessages = defineError(
  'svc_api_too_many_messages',
  409,
  `An affiliate sends at most ${DAILY_MESSAGES_MAX} messages a day.`,
);

/** An affiliate is its own side in its own thread; all other callers that may call are of the team. */
export function sideOf(caller: Caller, affiliateId: number): Side {
  return caller.person?.id === affiliateId || !isAdmin(caller) ? 'affiliate' : 'team';
}

export const otherSide = (side: Side): Side => (side === 'team' ? 'affiliate' : 'team');

export const emptyThread = (userId: number): ThreadRow => ({
  user_id: userId,
  messages: 0,
  last_id: 0,
  team_read_id: 0,
  affiliate_read_id: 0,
  team_unread: 0,
  affiliate_unread: 0,
  team_mail_at: null,
  affiliate_mail_at: null,
  team_mailed_at: 0,
  affiliate_mailed_at: 0,
  sent_day: '',
  sent_messages: 0,
});

/** The thread with one more message of the affiliate counted; throws if it is one too many. */
export function countSent(thread: ThreadRow, day: string): ThreadRow {
  const sent_messages = (thread.sent_day === day ? thread.sent_messages : 0) + 1;
  if (sent_messages > DAILY_MESSAGES_MAX) throw new ApiError(tooManyMessages);
  return { ...thread, sent_day: day, sent_messages };
}

/** An answer means that its writer has read what came before. The other side gets a mail later, if it does not read. */
export function afterMessage(
  thread: ThreadRow,
  side: Side,
  { id, nowMs }: { id: number; nowMs: number },
): ThreadRow {
  const other = otherSide(side);
  const due = Math.max(nowMs + MAIL_AFTER_MS, thread[`${other}_mailed_at`] + MAIL_PAUSE_MS);
  return {
    ...afterReading(thread, side, { id, unread: 0 }),
    messages: thread.messages + 1,
    last_id: id,
    [`${other}_unread`]: thread[`${other}_unread`] + 1,
    [`${other}_mail_at`]: thread[`${other}_mail_at`] ?? due,
  };
}

/** The side has read the messages up to `id`, and there are `unread` after it. */
export function afterReading(
  thread: ThreadRow,
  side: Side,
  { id, unread }: { id: number; unread: number },
): ThreadRow {
  return {
    ...thread,
    [`${side}_read_id`]: id,
    [`${side}_unread`]: unread,
    ...(unread === 0 && { [`${side}_mail_at`]: null }),
  };
}

/** The mail that was due was sent, or is not needed. */
export function afterMail(thread: ThreadRow, side: Side, mailedAt: number): ThreadRow {
  return { ...thread, [`${side}_mail_at`]: null, [`${side}_mailed_at`]: mailedAt };
}
