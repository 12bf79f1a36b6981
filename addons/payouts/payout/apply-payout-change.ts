import type { Transaction } from '../../../src/db/database.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { payoutReturns, post, setAside } from '../../../src/modules/ledger/index.ts';
import { listAdministrators } from '../../../src/modules/users/index.ts';
import type { Language } from '../../../src/shared/languages.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { enqueuePayoutMail } from '../mails/enqueue-payout-mail.ts';
import { toReviewMail } from '../mails/payout-mails.ts';
import { failureText, type Failure } from '../payment/failure-reason.ts';
import { sendsMoney } from './objections.ts';
import { addChange } from './payout-changes-rows.ts';
import { addToDailySums } from './payout-days.ts';
import { insertPayouts, updateStatus, type PayoutDraft, type PayoutRow } from './payout-rows.ts';
import { poolOf, statusLabels, type PayoutStatus } from './payout-status.ts';
import { findTransition, type ChangeSource, type Transition } from './transitions.ts';

export const invalidTransition = defineError(
  'svc_api_invalid_transition',
  400,
  'A payout cannot change from its current status to that one.',
);

export const insufficientUnpaid = defineError(
  'svc_api_insufficient_unpaid',
  409,
  'The unpaid balance no longer covers the amount of this payout.',
);

interface ChangeContext {
  readonly actorId: number;
  readonly nowMs: number;
  /** A remark for the change feed. */
  readonly note?: string | undefined;
}

/** A request opens a payout. */
export interface PayoutOpening extends ChangeContext {
  readonly draft: PayoutDraft;
}

/** An administrator or a gateway changes the status of a payout. */
interface PayoutChange extends ChangeContext {
  readonly source: Exclude<ChangeSource, 'request'>;
  readonly payout: PayoutRow;
  readonly to: PayoutStatus;
  /** Why the payout failed. */
  readonly failure?: Failure;
  readonly transactionId?: string;
  /** When the follow-up job asks the gateway next; left out, it does not ask any more. */
  readonly askAt?: number;
}

/** A change whose payout is stored. Its mails share the occasion. */
interface WrittenChange extends ChangeContext {
  readonly before: PayoutRow | null;
  readonly after: PayoutRow;
  readonly transition: Transition;
  readonly occasion: string;
}

/**
 * Opens payouts, any number of them in a few statements. Callers decide on them and hold the locks of the coupons'
 * balances.
 */
export async function openPayouts(
  tx: Transaction,
  site: Site,
  openings: readonly PayoutOpening[],
): Promise<PayoutRow[]> {
  const drafts = openings.map(({ draft }) => draft);
  const needsReview = drafts.some(({ status }) => status === 'pending');
  const [payouts, administrators] = await Promise.all([
    insertPayouts(tx, site, drafts),
    needsReview ? listAdministrators(tx) : [],
  ]);
  for (const [i, { draft, ...context }] of openings.entries()) {
    const after = payouts[i]!;
    const transition = requireTransition('request', null, draft.status);
    const options = { ...context, occasion: randomBase62(12) };
    await record(tx, site, { ...options, before: null, after, transition });
    const reviewers = after.status === 'pending' ? administrators : [];
    enqueuePayoutMail(tx, site, toReviewMail, after, reviewers, options);
  }
  return payouts;
}

/**
 * Applies every other change of a payout: the row, its amount in the ledger, the daily sums, the
 * event and the mails, in one transaction. Callers decide on the change and hold the payout's lock.
 */
export async function applyPayoutChange(
  tx: Transaction,
  site: Site,
  change: PayoutChange,
): Promise<PayoutRow> {
  const before = change.payout;
  const transition = requireTransition(change.source, before.status, change.to);
  const after = await writeStatus(tx, site, change);
  await record(tx, site, { ...change, before, after, transition, occasion: randomBase62(12) });
  if (isReturn(before, after)) await receiveReturn(tx, site, after, change);
  return after;
}

async function record(tx: Transaction, site: Site, change: WrittenChange): Promise<void> {
  const { before, after, transition, occasion } = change;
  const { id, status, changed_at } = after;
  addChange(tx, { payout_id: id, status, changed_at, mail: transition.mail.name, occasion });
  await moveMoney(tx, change);
  emitChange(tx, site, change);
  const affiliate = { ...after, id: after.user_id };
  const reason = (language: Language) => failureText(after, language);
  enqueuePayoutMail(tx, site, transition.mail, after, [affiliate], { ...change, reason });
  addToDailySums(tx, site, before, after);
}

/** Whether a payout is further from its payment than before. */
function isReturn(before: PayoutRow, after: PayoutRow): boolean {
  if (before.status === 'paid' || poolOf[after.status] === 'unpaid') return true;
  return sendsMoney(before.status) && !sendsMoney(after.status);
}

async function receiveReturn(
  tx: Transaction,
  site: Site,
  { id, coupon_id, requested_at, status }: PayoutRow,
  { actorId, nowMs }: ChangeContext,
): Promise<void> {
  const points = site.registry.allContributions(payoutReturns);
  if (points.length === 0) return;
  await tx.flush();
  const isGivenBack = poolOf[status] === 'unpaid';
  const returned = { id, coupon_id, requested_at, isGivenBack };
  for (const receive of points) await receive(tx, site, returned, { actorId, nowMs });
}

function requireTransition(
  source: ChangeSource,
  from: PayoutStatus | null,
  to: PayoutStatus,
): Transition {
  const transition = findTransition(source, from, to);
  if (transition) return transition;
  throw new ApiError(invalidTransition, { message: `A payout cannot go from ${from} to ${to}.` });
}

async function writeStatus(
  tx: Transaction,
  site: Site,
  { payout, to, failure, transactionId, askAt, nowMs }: PayoutChange,
): Promise<PayoutRow> {
  const changed: PayoutRow = {
    ...payout,
    status: to,
    transaction_id: transactionId ?? payout.transaction_id,
    changed_at: nowMs,
    paid_at: to === 'paid' ? nowMs : null,
    paid_day: to === 'paid' ? site.calendar.dayOf(nowMs) : null,
    ask_at: askAt ?? null,
    asks: 0,
    leased_until: 0,
    unclear_since: null,
    unclear_reason: null,
    reported_at: null,
    failure_code: to === 'failed' ? (failure?.code ?? 'not_paid') : null,
    failure_message: to === 'failed' ? (failure?.message ?? null) : null,
  };
  if (!(await updateStatus(tx, changed, payout.status))) throw new ApiError(generalErrors.conflict);
  return changed;
}

async function moveMoney(
  tx: Transaction,
  { before, after, actorId, nowMs }: WrittenChange,
): Promise<void> {
  const from = before ? poolOf[before.status] : 'unpaid';
  const to = poolOf[after.status];
  if (from === to) return;
  const movement = {
    couponId: after.coupon_id,
    ownerId: after.user_id,
    amount: after.amount,
    kind: 'payout' as const,
    orderId: null,
    payoutId: after.id,
    userId: actorId,
    note: `Payout ${after.id}: ${before ? `${before.status} to ${after.status}` : 'requested'}`,
    nowMs,
  };
  if (from !== 'unpaid') post(tx, { ...movement, from, to });
  else if (!(await setAside(tx, movement))) throw new ApiError(insufficientUnpaid);
}

function emitChange(
  tx: Transaction,
  { currency, calendar }: Site,
  { before, after: payout, transition, actorId, nowMs, note }: WrittenChange,
): void {
  const amount = currency.toMajor(payout.amount);
  const remark = note ? ` (${note})` : '';
  emit(tx, transition.event, {
    objectId: payout.id,
    userId: actorId,
    info: `Payout ${payout.id} of ${amount} ${currency.code} for coupon ${payout.coupon_id}: ${statusLabels[payout.status]}${remark}.`,
    data: {
      payout_id: payout.id,
      user_id: payout.user_id,
      coupon_id: payout.coupon_id,
      amount,
      currency: currency.code,
      method_type: payout.method_type,
      status: payout.status,
      from: before?.status ?? null,
      date: calendar.toLocal(payout.requested_at),
      date_paid: calendar.toLocal(payout.paid_at),
      transaction_id: payout.transaction_id,
    },
    nowMs,
  });
}
