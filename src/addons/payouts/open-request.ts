import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Gateway } from './extension.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { lockBalances, post } from '../../modules/ledger/index.ts';
import { listAdministrators } from '../../modules/users/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { encryptForPayout, readSavedDetails, type Details } from './details/details-store.ts';
import { LEASE_MS } from './payment/gateway-call.ts';
import { findMethod } from './methods.ts';
import { moveDays } from './payout-days.ts';
import { payoutRequested } from './payout-events.ts';
import { PayoutNews } from './payout-news.ts';
import { refusalOf, type Wish } from './payout-rules.ts';
import {
  findPayables,
  findPayouts,
  insertPayouts,
  savePayoutDetails,
  listPaidBefore,
  type NewPayout,
  type Payable,
  type PayoutRow,
} from './payout-store.ts';
import { autoAccept, autoAcceptMax, detailsHoldHours, firstByHand } from './settings.ts';
import { askNextAt } from './payment/settle-payout.ts';

const HOUR_MS = 60 * 60_000;

export const inProgress = defineError(
  'svc_api_in_progress',
  409,
  'A payout for this coupon is being requested at this moment.',
);

export interface PayoutRequest {
  readonly couponId: number;
  readonly byAdmin: boolean;
  readonly actorId: number;
  readonly nowMs: number;
}

export interface Opened {
  readonly payout: PayoutRow;
  readonly isNew: boolean;
  /** What is to be called now that the payout is written down as `processing`. */
  readonly gateway?: Gateway | undefined;
}

/** A payout that is going to be written down. */
class Draft {
  readonly request: PayoutRequest;
  readonly payable: Payable;
  /** Where the money goes. */
  readonly details: Details | null;
  readonly gateway: Gateway | undefined;

  constructor(
    request: PayoutRequest,
    payable: Payable,
    details: Details | null,
    gateway: Gateway | undefined,
  ) {
    this.request = request;
    this.payable = payable;
    this.details = details;
    this.gateway = gateway;
  }
}

/**
 * For each request finds the open payout of its coupon, or writes down a new one of all that is unpaid, or
 * tells why not. Until the transaction ends nobody else moves the money of these coupons: what is seen
 * of them is what is so. What is refused writes nothing, so that the others need not be undone.
 */
export async function openRequests(
  tx: Transaction,
  site: Site,
  requests: readonly PayoutRequest[],
): Promise<(Opened | ApiError)[]> {
  const couponIds = [...new Set(requests.map(({ couponId }) => couponId))];
  const [, payables, administrators] = await Promise.all([
    // Sent first: what the others read is read after it.
    lockBalances(tx, couponIds),
    findPayables(tx, couponIds),
    listAdministrators(tx),
  ]);
  const [found, paidBefore] = await Promise.all([
    findPayouts(
      tx,
      payables.flatMap(({ open_id }) => open_id ?? []),
    ),
    findPaidBefore(tx, site, payables),
  ]);
  const open = new Map(found.map((payout) => [payout.id, payout]));
  const left = new Map(payables.map((payable) => [payable.coupon_id, payable]));
  const decided = requests.map((request) => {
    const payable = left.get(request.couponId);
    // Somebody else asks for the same money in the same moment: theirs is the payout.
    if (!payable) return new ApiError(inProgress);
    left.delete(request.couponId);
    // The coupon changed hands after the caller's ownership was checked, outside this transaction.
    if (!request.byAdmin && payable.user_id !== request.actorId) {
      return new ApiError(generalErrors.notFound);
    }
    if (payable.open_id !== null) return { payout: open.get(payable.open_id)!, isNew: false };
    const refusal = refusalOf(toWish(payable, request.byAdmin), site);
    if (refusal) return refusal;
    const details = detailsOf(site, payable);
    if (details instanceof ApiError) return details;
    const gateway = gatewayAtOnce(site, payable, paidBefore, request.nowMs);
    return new Draft(request, payable, details, gateway);
  });
  const drafts = decided.filter((one) => one instanceof Draft);
  const written = await write(tx, site, drafts, administrators);
  return decided.map((one) =>
    one instanceof Draft ? { payout: written.get(one)!, isNew: true, gateway: one.gateway } : one,
  );
}

/** Details that cannot be read concern this affiliate alone, not the requests beside it. */
function detailsOf(site: Site, { user_id, details }: Payable): Details | null | ApiError {
  if (details === null) return null;
  try {
    return readSavedDetails(site, { user_id: user_id!, details });
  } catch (error) {
    site.log.error({ err: error, user_id }, 'the payout details of an affiliate cannot be read');
    return new ApiError(generalErrors.serverError);
  }
}

export function toWish(payable: Payable, byAdmin: boolean): Wish {
  return {
    byAdmin,
    affiliateId: payable.user_id,
    isSuspended: payable.affiliate_status === 'suspended',
    unpaid: payable.unpaid,
    methodType: payable.method_type,
  };
}

/** Only where it matters. */
async function findPaidBefore(
  tx: Transaction,
  { settings }: Site,
  payables: readonly Payable[],
): Promise<ReadonlySet<number>> {
  if (!settings.get(autoAccept) || !settings.get(firstByHand)) return new Set();
  return listPaidBefore(tx, [...new Set(payables.flatMap(({ user_id }) => user_id ?? []))]);
}

/** The gateway that pays without a review, where the store wants that. */
function gatewayAtOnce(
  site: Site,
  payable: Payable,
  paidBefore: ReadonlySet<number>,
  nowMs: number,
): Gateway | undefined {
  const { settings, currency } = site;
  if (!settings.get(autoAccept) || payable.method_type === null) return undefined;
  if (payable.affiliate_status === 'suspended') return undefined;
  if (currency.toMajor(payable.unpaid) > settings.get(autoAcceptMax)) return undefined;
  const heldUntil = payable.details_at! + settings.get(detailsHoldHours) * HOUR_MS;
  if (heldUntil > nowMs) return undefined;
  if (settings.get(firstByHand) && !paidBefore.has(payable.user_id!)) return undefined;
  return findMethod(site, payable.method_type)?.gateway(site);
}

/** Writes down payouts, sets their money aside, tells of them and counts them. */
async function write(
  tx: Transaction,
  site: Site,
  drafts: readonly Draft[],
  administrators: Awaited<ReturnType<typeof listAdministrators>>,
): Promise<Map<Draft, PayoutRow>> {
  const written = new Map<Draft, PayoutRow>();
  if (drafts.length === 0) return written;
  const rows = drafts.map((draft) => toRow(site, draft));
  const ids = await insertPayouts(tx, rows);
  const news = new PayoutNews(tx, site);
  for (const [i, draft] of drafts.entries()) {
    const { payable, request } = draft;
    const { actorId, nowMs } = request;
    const id = ids.get(payable.coupon_id)!;
    const payout: PayoutRow = {
      ...rows[i]!,
      id,
      details: draft.details && encryptForPayout(site, id, draft.details),
      coupon_code: payable.code,
      display_name: payable.display_name!,
      email: payable.email!,
    };
    written.set(draft, payout);
    post(tx, {
      couponId: payout.coupon_id,
      from: 'unpaid',
      to: 'pending_payout',
      amount: payout.amount,
      kind: 'payout',
      orderId: null,
      userId: actorId,
      note: `Payout ${payout.id}: requested`,
      nowMs,
    });
    news.tell(payout, payoutRequested, { from: null, actorId, nowMs });
    if (!draft.gateway) news.askForReview(payout, administrators, nowMs);
    moveDays(tx, site, { after: payout });
  }
  await savePayoutDetails(tx, [...written.values()]);
  return written;
}

function toRow(site: Site, { payable, request, gateway }: Draft): NewPayout {
  const { nowMs } = request;
  const status = gateway ? 'processing' : 'pending';
  const type = payable.method_type ?? '';
  return {
    coupon_id: payable.coupon_id,
    user_id: payable.user_id!,
    amount: payable.unpaid,
    method_type: type,
    method: findMethod(site, type)?.label ?? type,
    status,
    // Bound to its row, whose number is not known yet.
    details: null,
    transaction_id: '',
    invoice_id: 0,
    requested_at: nowMs,
    requested_day: site.calendar.dayOf(nowMs),
    paid_at: null,
    paid_day: null,
    nonce: randomBase62(12),
    ask_at: gateway ? askNextAt(status, 0, nowMs)! : null,
    asks: 0,
    leased_until: gateway ? nowMs + LEASE_MS : 0,
    // A gateway that prepares nothing is called right after this commit.
    pay_attempts: gateway && !gateway.prepare ? 1 : 0,
    unclear_since: null,
    unclear_reason: null,
    reported_at: null,
    failure_code: null,
    failure_message: null,
    begun_at: null,
  };
}
