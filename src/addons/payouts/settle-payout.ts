import type { GatewayOutcome } from '../../kernel/extension.ts';
import type { Site } from '../../kernel/site.ts';
import type { Transaction } from '../../db/database.ts';
import { postponeAsking } from './follow-up-store.ts';
import { movePayout } from './move-payout.ts';
import { findPayout, lockPayout, type PayoutRow } from './payout-store.ts';
import { byGateway, type PayoutStatus } from './transitions.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long to wait before asking for the how-manieth time. Nobody knows where a payout in
 * `processing` is, so it is asked for soon and forever. A payment that is on its way takes days. One
 * that was made may come back: it is looked at a few times more.
 */
const waits: Partial<Record<PayoutStatus, { ms: readonly number[]; forever: boolean }>> = {
  processing: { ms: [30_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS], forever: true },
  created: { ms: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS], forever: true },
  paid: { ms: [DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS], forever: false },
};

/** When to ask next, after having asked so often; undefined when it is settled for good. */
export function askNextAt(status: string, asks: number, nowMs: number): number | undefined {
  const wait = waits[status as PayoutStatus];
  if (!wait || (asks >= wait.ms.length && !wait.forever)) return undefined;
  return nowMs + wait.ms[Math.min(asks, wait.ms.length - 1)]!;
}

/** Writes down what a gateway said. What people have changed meanwhile stays as they left it. */
export async function settlePayout(
  tx: Transaction,
  site: Site,
  asked: PayoutRow,
  outcome: GatewayOutcome,
  nowMs: number,
): Promise<PayoutRow> {
  await lockPayout(tx, asked.id);
  const payout = (await findPayout(tx, asked.id))!;
  if (payout.status !== asked.status) {
    site.log.warn(
      { payout_id: payout.id, status: payout.status, gateway_says: outcome.status },
      'a payout was changed while its gateway had it: what the gateway says is not applied',
    );
    return payout;
  }
  const event = byGateway[payout.status as PayoutStatus]?.[outcome.status as PayoutStatus];
  if (!event) return postpone(tx, payout, outcome, nowMs);
  const to = outcome.status as PayoutStatus;
  const askAt = askNextAt(to, 0, nowMs);
  return movePayout(tx, site, payout, to, event, {
    actorId: 0,
    nowMs,
    ...('transaction_id' in outcome && { transactionId: outcome.transaction_id }),
    ...(outcome.status === 'failed' && { reason: outcome.reason }),
    ...(askAt !== undefined && { askAt }),
  });
}

/** No news: it is asked again later. */
async function postpone(
  tx: Transaction,
  payout: PayoutRow,
  outcome: GatewayOutcome,
  nowMs: number,
): Promise<PayoutRow> {
  const known = {
    ...payout,
    transaction_id: 'transaction_id' in outcome ? outcome.transaction_id : payout.transaction_id,
    asks: payout.asks + 1,
    ask_at: askNextAt(payout.status, payout.asks + 1, nowMs) ?? null,
    leased_until: 0,
  };
  await postponeAsking(tx, known);
  return known;
}
