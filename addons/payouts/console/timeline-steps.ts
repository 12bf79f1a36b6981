import type { PayoutTimelineEntry } from '../../../sdk/src/index.ts';
import { formatMoney } from '../../../web/format.ts';
import { hasWord, t } from '../../../web/words.ts';
import { stateName, type PayoutStatus } from './payout-words.ts';

/** One entry of the timeline, in words. */
export interface Step {
  readonly kind: PayoutTimelineEntry['kind'];
  readonly at: string;
  readonly title: string;
  readonly detail: string | undefined;
  /** The person that did it; undefined for the system and the gateway. */
  readonly actor: string | undefined;
  readonly isBad: boolean;
}

/** The entries in words. The feed repeats each change of the status: of those it only gives the actor. */
export function stepsOf(entries: readonly PayoutTimelineEntry[]): Step[] {
  const changes = new Set(entries.filter(({ kind }) => kind === 'status').map(({ at }) => at));
  const isRepetition = ({ kind, at, data }: PayoutTimelineEntry) =>
    kind === 'event' && changes.has(at) && String(data['event']).startsWith('payout.');
  return entries
    .filter((entry) => !isRepetition(entry))
    .map((entry) => ({
      kind: entry.kind,
      at: entry.at,
      title: titleOf(entry),
      detail: detailOf(entry),
      actor: actorOf(entry, entries),
      isBad: isBad(entry),
    }));
}

function titleOf({ kind, title, data }: PayoutTimelineEntry): string {
  switch (kind) {
    case 'status':
      // The status of a payout, as in its record.
      return stateName(data['status'] as PayoutStatus);
    case 'ledger':
      return t('console-payouts.timeline.ledger', {
        amount: formatMoney(Number(data['amount'])),
        from: wordOf('pool', data['from']),
        to: wordOf('pool', data['to']),
      });
    case 'mail':
      return t('console-payouts.timeline.mail', { subject: withWholeAmounts(title) });
    case 'gateway':
      // The three calls of a gateway.
      return t(`console-payouts.timeline.${data['act'] as 'prepare' | 'pay' | 'ask'}`, {
        outcome: wordOf('outcome', data['outcome']),
      });
    case 'event':
      return title;
  }
}

function wordOf(kind: 'pool' | 'outcome', name: unknown): string {
  const key =
    kind === 'pool'
      ? `console-payouts.pool.${String(name)}`
      : `console-payouts.outcome.${String(name)}`;
  return hasWord(key) ? t(key) : String(name);
}

function detailOf({ kind, data }: PayoutTimelineEntry): string | undefined {
  const recipient = String(data['to'] ?? '');
  if (kind === 'mail' && recipient !== '') {
    return t('console-payouts.timeline.to', { name: recipient });
  }
  if (kind !== 'gateway') return undefined;
  const parts = [data['reason'], data['transaction_id']].map((part) => String(part ?? ''));
  return parts.filter((part) => part !== '').join(' ') || undefined;
}

function actorOf(
  { kind, at, data }: PayoutTimelineEntry,
  entries: readonly PayoutTimelineEntry[],
): string | undefined {
  if (kind !== 'status' && kind !== 'event') return undefined;
  const event = kind === 'event' ? data : eventAt(at, entries)?.data;
  // The contract of an event's data: null is the system.
  const user = event?.['user'] as { name: string } | null | undefined;
  return user?.name;
}

function eventAt(at: string, entries: readonly PayoutTimelineEntry[]) {
  return entries.findLast((entry) => entry.kind === 'event' && entry.at === at);
}

function isBad({ kind, data }: PayoutTimelineEntry): boolean {
  if (kind === 'status') return data['status'] === 'failed' || data['status'] === 'cancel';
  return kind === 'gateway' && data['outcome'] === 'failed';
}

/** The subject of a mail is plain text: the code of a currency stays with its number. */
function withWholeAmounts(text: string): string {
  return text.replaceAll(/\b([A-Z]{3}) (?=\d)/g, '$1\u00a0');
}
