import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { MINUTE_MS, HOUR_MS, DAY_MS } from '../../../src/shared/durations.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import type { GatewayOutcome } from '../extension.ts';
import { applyPayoutChange } from '../payout/apply-payout-change.ts';
import { lockOrdersFor } from '../payout/lock-orders.ts';
import { findPayout, lockPayout, type PayoutRow } from '../payout/payout-rows.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { findTransition } from '../payout/transitions.ts';
import type { GatewayAnswer } from './call-gateway.ts';
import { failureOf, isStoreFailure, type Failure } from './failure-reason.ts';
import { postponeAsking } from './follow-up-rows.ts';
import { notifyGatewayFailure, notifyUnclear } from './notify-administrators.ts';
import { recordCall } from './payout-calls-rows.ts';

/**
 * How long to wait before the gateway is asked again. The state of a payout in `processing` is unknown, so the
 * first question comes soon and the last never. A payment that is under way takes days. One that was made may
 * still come back, so it is checked a few more times.
 */
export const waits: Partial<Record<PayoutStatus, { ms: readonly number[]; forever: boolean }>> = {
  processing: { ms: [30_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS], forever: true },
  created: { ms: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS], forever: true },
  paid: { ms: [DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS], forever: false },
};

/** After this many calls without a clear answer the administrators are notified. */
const NOTIFY_AFTER_ASKS = 3;

/** When to ask the gateway next, after `asks` questions; undefined if the payout needs no further question. */
export function nextAskAt(status: PayoutStatus, asks: number, nowMs: number): number | undefined {
  const wait = waits[status];
  if (!wait || (asks >= wait.ms.length && !wait.forever)) return undefined;
  return nowMs + wait.ms[Math.min(asks, wait.ms.length - 1)]!;
}

/**
 * Applies a gateway's answer. A payout whose status was changed since the gateway was called stays as it is: an
 * administrator has decided.
 */
export async function settlePayout(
  tx: Transaction,
  site: Site,
  answer: GatewayAnswer,
  nowMs: number,
): Promise<PayoutRow> {
  const { payout: leased } = answer;
  await lockOrdersFor(tx, { to: statusAfter(answer.outcome) });
  await lockPayout(tx, leased.id);
  const payout = (await findPayout(tx, leased.id))!;
  await recordCall(tx, answer, nowMs);
  if (payout.status !== leased.status) {
    site.log.warn(
      { payout_id: payout.id, status: payout.status, gateway_says: answer.outcome.status },
      "a payout was changed while its gateway was called: the gateway's answer is not applied",
    );
    return payout;
  }
  const failure = failureOf(answer.outcome);
  const verdict = judge(answer, payout, failure);
  const outcome = verdict === 'apply' ? answer.outcome : toUnknown(answer.outcome, verdict);
  const to = statusAfter(outcome);
  if (to === undefined || !findTransition('gateway', payout.status, to)) {
    return postpone(tx, site, { payout, leased, outcome, verdict, failure, nowMs });
  }
  const askAt = nextAskAt(to, 0, nowMs);
  const settled = await applyPayoutChange(tx, site, {
    source: 'gateway',
    payout,
    to,
    actorId: 0,
    nowMs,
    ...('transaction_id' in outcome && { transactionId: outcome.transaction_id }),
    ...(failure && { failure }),
    ...(askAt !== undefined && { askAt }),
  });
  if (failure) await notifyGatewayFailure(tx, site, settled, failure, nowMs);
  return settled;
}

/** The status that a gateway's outcome stands for; undefined if it decides nothing. */
function statusAfter({ status }: GatewayOutcome): PayoutStatus | undefined {
  switch (status) {
    case 'paid':
    case 'created':
    case 'failed':
      return status;
    case 'absent':
    case 'unknown':
      return undefined;
  }
}

/**
 * What an outcome means for the payout. `late`: a refusal that says nothing about an earlier attempt, which may
 * have paid. `retry`: nothing was paid, for a reason on the store's side, so the payout is attempted again.
 * `inconclusive`: the gateway refused the question, which says nothing about the payment.
 */
type Verdict = 'apply' | 'late' | 'retry' | 'inconclusive';

function judge(answer: GatewayAnswer, payout: PayoutRow, failure: Failure | undefined): Verdict {
  const { act, outcome } = answer;
  if (outcome.status !== 'failed' || !failure) return 'apply';
  if (isLateRefusal(answer, payout)) return 'late';
  // The gateway names the payment, so that payment has failed for good, whatever the reason.
  if (!isStoreFailure(failure.code) || outcome.transaction_id !== undefined) return 'apply';
  return act === 'ask' ? 'inconclusive' : 'retry';
}

/** The highest number of attempts at which a refusal by that method means that nothing was paid. */
const attemptsRefused = { prepare: 0, pay: 1, ask: Infinity };

/**
 * Whether the refusal came after an earlier attempt that may have been accepted. It says nothing about that
 * attempt, so the payout must not fail: its amount would be paid a second time.
 */
function isLateRefusal({ act, outcome }: GatewayAnswer, payout: PayoutRow): boolean {
  if (outcome.status !== 'failed') return false;
  const isCertain = outcome.transaction_id !== undefined || outcome.conclusive === true;
  if (act === 'pay' && isCertain) return false;
  return payout.pay_attempts > attemptsRefused[act];
}

function toUnknown(outcome: GatewayOutcome, verdict: Verdict): GatewayOutcome {
  const reason = 'reason' in outcome ? outcome.reason : '';
  if (verdict !== 'late') return { status: 'unknown', ...(reason && { reason }) };
  return { status: 'unknown', reason: `A repeated attempt was refused: ${reason}` };
}

interface Postponement {
  readonly payout: PayoutRow;
  /** The payout as this process leased it. */
  readonly leased: PayoutRow;
  readonly outcome: GatewayOutcome;
  readonly verdict: Verdict;
  readonly failure: Failure | undefined;
  readonly nowMs: number;
}

/** Leaves the status as it is and asks again later. Notifies the administrators if that has gone on for long. */
async function postpone(
  tx: Transaction,
  site: Site,
  { payout, leased, outcome, verdict, failure, nowMs }: Postponement,
): Promise<PayoutRow> {
  const asks = payout.asks + 1;
  const isUnclear = payout.status === 'processing' && !('transaction_id' in outcome);
  const isRetry = verdict === 'retry';
  const isReported = isUnclear && !isRetry && (verdict === 'late' || asks >= NOTIFY_AFTER_ASKS);
  const postponed: PayoutRow = {
    ...payout,
    ...('transaction_id' in outcome && { transaction_id: outcome.transaction_id }),
    asks,
    ask_at: nextAskAt(payout.status, asks, nowMs) ?? null,
    leased_until: 0,
    ...(isUnclear && {
      unclear_since: payout.unclear_since ?? nowMs,
      unclear_reason: reasonOf(outcome),
    }),
    ...(isReported && { reported_at: payout.reported_at ?? nowMs }),
    // A paid payout stays paid even if its gateway cannot be asked again.
    ...(payout.status !== 'paid' && {
      failure_code: failure?.code ?? null,
      failure_message: failure?.message ?? null,
    }),
    // Nothing was paid under this key, and gateways answer a used key with the stored refusal.
    ...(isRetry && { pay_attempts: 0, nonce: randomBase62(12), begun_at: nowMs }),
  };
  // If another process has since leased the payout, that process applies its own answer.
  if (!(await postponeAsking(tx, postponed, leased.leased_until))) return payout;
  if (failure) await notifyGatewayFailure(tx, site, postponed, failure, nowMs);
  if (isReported && payout.reported_at === null) await notifyUnclear(tx, site, postponed, nowMs);
  return postponed;
}

const REASON_MAX = 300;

function reasonOf(outcome: GatewayOutcome): string {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  return String(reason ?? `the gateway answered ${outcome.status}`).slice(0, REASON_MAX);
}
