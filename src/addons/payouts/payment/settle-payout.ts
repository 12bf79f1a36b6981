import type { GatewayOutcome } from '../extension.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { Transaction } from '../../../db/database.ts';
import { randomBase62 } from '../../../shared/secrets.ts';
import { failureOf, isStoreFailure, type Failure } from './failure-reason.ts';
import { postponeAsking } from './follow-up-store.ts';
import type { GatewayAnswer } from './gateway-attempt.ts';
import { reportGatewayFailure } from './gateway-failures.ts';
import { movePayout } from '../move-payout.ts';
import { findPayout, lockPayout, type PayoutRow } from '../payout-store.ts';
import { byGateway, type PayoutStatus } from '../transitions.ts';
import { reportUnclear } from './unclear-payouts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long to wait before asking for the how-manieth time. Nobody knows where a payout in
 * `processing` is, so it is asked for soon and forever. A payment that is on its way takes days. One
 * that was made may come back: it is looked at a few times more.
 */
export const waits: Partial<Record<PayoutStatus, { ms: readonly number[]; forever: boolean }>> = {
  processing: { ms: [30_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS], forever: true },
  created: { ms: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS], forever: true },
  paid: { ms: [DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS], forever: false },
};

/** After so many calls without a clear answer the administrators are told. */
const REPORT_AFTER_ASKS = 3;

/** When to ask next, after having asked so often; undefined when it is settled for good. */
export function askNextAt(status: string, asks: number, nowMs: number): number | undefined {
  const wait = waits[status as PayoutStatus];
  if (!wait || (asks >= wait.ms.length && !wait.forever)) return undefined;
  return nowMs + wait.ms[Math.min(asks, wait.ms.length - 1)]!;
}

/** Applies what a gateway said. A payout that people have changed in the meantime stays as it is. */
export async function settlePayout(
  tx: Transaction,
  site: Site,
  answer: GatewayAnswer,
  nowMs: number,
): Promise<PayoutRow> {
  const { payout: asked } = answer;
  await lockPayout(tx, asked.id);
  const payout = (await findPayout(tx, asked.id))!;
  if (payout.status !== asked.status) {
    site.log.warn(
      { payout_id: payout.id, status: payout.status, gateway_says: answer.outcome.status },
      'a payout was changed while its gateway had it: what the gateway says is not applied',
    );
    return payout;
  }
  const failure = failureOf(answer.outcome);
  const verdict = verdictOn(answer, payout, failure);
  const outcome = verdict === 'applied' ? answer.outcome : toUnknown(answer.outcome, verdict);
  const event = byGateway[payout.status as PayoutStatus]?.[outcome.status as PayoutStatus];
  if (!event) return postpone(tx, site, payout, { asked, outcome, verdict, failure, nowMs });
  const to = outcome.status as PayoutStatus;
  const askAt = askNextAt(to, 0, nowMs);
  const moved = await movePayout(tx, site, payout, to, event, {
    actorId: 0,
    nowMs,
    ...('transaction_id' in outcome && { transactionId: outcome.transaction_id }),
    ...(failure && { failure }),
    ...(askAt !== undefined && { askAt }),
  });
  if (failure) await reportGatewayFailure(tx, site, moved, failure, nowMs);
  return moved;
}

/**
 * What a refusal means. `late`: it says nothing about an earlier attempt, which may have paid. `retried`:
 * nothing was paid, for a reason on the store's side, so the payout waits and is attempted again.
 * `unheard`: the gateway was only asked, and the store's credentials or balance say nothing about the
 * payment.
 */
type Verdict = 'applied' | 'late' | 'retried' | 'unheard';

function verdictOn(
  answer: GatewayAnswer,
  payout: PayoutRow,
  failure: Failure | undefined,
): Verdict {
  const { act, outcome } = answer;
  if (outcome.status !== 'failed') return 'applied';
  if (isLateRefusal(answer, payout)) return 'late';
  // A payment that the gateway names has failed for good, whatever the reason.
  if (!isStoreFailure(failure!.code) || outcome.transaction_id !== undefined) return 'applied';
  return act === 'ask' ? 'unheard' : 'retried';
}

/** Up to how many attempts to pay a refusal of that call means that nothing was paid. */
const attemptsRefused = { prepare: 0, pay: 1, ask: Infinity };

/**
 * Whether a call was refused after an earlier attempt to pay that may have been accepted. The refusal
 * says nothing about that attempt, so the payout must not fail: its money would be paid once more.
 */
function isLateRefusal({ act, outcome }: GatewayAnswer, payout: PayoutRow): boolean {
  if (outcome.status !== 'failed') return false;
  // The gateway names the payment itself: that one has failed.
  if (act === 'pay' && outcome.transaction_id !== undefined) return false;
  return payout.pay_attempts > attemptsRefused[act];
}

function toUnknown(outcome: GatewayOutcome, verdict: Verdict): GatewayOutcome {
  const reason = 'reason' in outcome ? outcome.reason : '';
  if (verdict !== 'late') return { status: 'unknown', ...(reason && { reason }) };
  return { status: 'unknown', reason: `A repeated attempt was refused: ${reason}` };
}

interface NoNews {
  readonly asked: PayoutRow;
  readonly outcome: GatewayOutcome;
  readonly verdict: Verdict;
  readonly failure: Failure | undefined;
  readonly nowMs: number;
}

/** No news: it is asked again later, and the administrators are told when that goes on. */
async function postpone(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  { asked, outcome, verdict, failure, nowMs }: NoNews,
): Promise<PayoutRow> {
  const asks = payout.asks + 1;
  const isUnclear = payout.status === 'processing' && !('transaction_id' in outcome);
  const isRetried = verdict === 'retried';
  const isReported = isUnclear && !isRetried && (verdict === 'late' || asks >= REPORT_AFTER_ASKS);
  const known: PayoutRow = {
    ...payout,
    ...('transaction_id' in outcome && { transaction_id: outcome.transaction_id }),
    asks,
    ask_at: askNextAt(payout.status, asks, nowMs) ?? null,
    leased_until: 0,
    ...(isUnclear && {
      unclear_since: payout.unclear_since ?? nowMs,
      unclear_reason: reasonOf(outcome),
    }),
    ...(isReported && { reported_at: payout.reported_at ?? nowMs }),
    // A paid payout stays paid, whether or not its gateway can be asked once more.
    ...(payout.status !== 'paid' && {
      failure_code: failure?.code ?? null,
      failure_message: failure?.message ?? null,
    }),
    // Nothing was paid under this key, and gateways answer a used key with the old refusal.
    ...(isRetried && { pay_attempts: 0, nonce: randomBase62(12), begun_at: nowMs }),
  };
  // Another process has the payout by now: what it hears counts.
  if (!(await postponeAsking(tx, known, asked.leased_until))) return payout;
  if (failure) await reportGatewayFailure(tx, site, known, failure, nowMs);
  if (isReported && payout.reported_at === null) await reportUnclear(tx, site, known, nowMs);
  return known;
}

const REASON_MAX = 300;

function reasonOf(outcome: GatewayOutcome): string {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  return String(reason ?? `the gateway answered ${outcome.status}`).slice(0, REASON_MAX);
}
