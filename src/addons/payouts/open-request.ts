import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/errors.ts';
import type { Gateway } from '../../kernel/extension.ts';
import type { Site } from '../../kernel/site.ts';
import { setAside } from '../../modules/ledger/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { LEASE_MS } from './gateway-call.ts';
import { findMethod } from './methods.ts';
import { tellPayout } from './move-payout.ts';
import { moveDays } from './payout-days.ts';
import { payoutRequested } from './payout-events.ts';
import { mailAdministrators } from './payout-mails.ts';
import { requirePayable, type Wish } from './payout-rules.ts';
import {
  findPayout,
  insertPayout,
  lockPayable,
  wasPaidBefore,
  type Payable,
  type PayoutRow,
} from './payout-store.ts';
import { autoAccept, autoAcceptMax, detailsHoldHours, firstByHand } from './settings.ts';
import { askNextAt } from './settle-payout.ts';

const HOUR_MS = 60 * 60_000;

export const inProgress = defineError(
  'svc_api_in_progress',
  409,
  'A payout for this coupon is being requested at this moment.',
);

export interface Opened {
  readonly payout: PayoutRow;
  readonly isNew: boolean;
  /** What is to be called now that the payout is written down as `processing`. */
  readonly gateway?: Gateway | undefined;
}

/** Finds the open payout of a coupon, or writes down a new one of all that is unpaid. */
export async function openRequest(
  tx: Transaction,
  site: Site,
  couponId: number,
  by: { byAdmin: boolean; actorId: number; nowMs: number },
): Promise<Opened> {
  const payable = (await lockPayable(tx, couponId))!;
  if (payable.open_id !== null) {
    return { payout: (await findPayout(tx, payable.open_id))!, isNew: false };
  }
  requirePayable(toWish(payable, by.byAdmin), site);
  const gateway = await gatewayAtOnce(tx, site, payable, by.nowMs);
  const payout = await write(tx, site, payable, gateway ? 'processing' : 'pending', by);
  return { payout, isNew: true, gateway };
}

export function toWish(payable: Payable, byAdmin: boolean): Wish {
  return {
    byAdmin,
    affiliateId: payable.user_id,
    unpaid: payable.unpaid,
    methodType: payable.method_type,
  };
}

/** The gateway that pays without a review, where the store wants that. */
async function gatewayAtOnce(
  tx: Transaction,
  site: Site,
  payable: Payable,
  nowMs: number,
): Promise<Gateway | undefined> {
  const { settings, currency } = site;
  if (!settings.get(autoAccept) || payable.method_type === null) return undefined;
  if (currency.toMajor(payable.unpaid) > settings.get(autoAcceptMax)) return undefined;
  const heldUntil = payable.details_at! + settings.get(detailsHoldHours) * HOUR_MS;
  if (heldUntil > nowMs) return undefined;
  if (settings.get(firstByHand) && !(await wasPaidBefore(tx, payable.user_id!))) return undefined;
  return findMethod(site, payable.method_type)?.gateway(site);
}

async function write(
  tx: Transaction,
  site: Site,
  payable: Payable,
  status: 'processing' | 'pending',
  by: { actorId: number; nowMs: number },
): Promise<PayoutRow> {
  const { nowMs } = by;
  const atGateway = status === 'processing';
  const type = payable.method_type ?? '';
  const row = {
    coupon_id: payable.coupon_id,
    user_id: payable.user_id!,
    amount: payable.unpaid,
    method_type: type,
    method: findMethod(site, type)?.label ?? type,
    status,
    details: payable.details,
    requested_at: nowMs,
    requested_day: site.calendar.dayOf(nowMs),
    paid_at: null,
    paid_day: null,
    nonce: randomBase62(12),
    ask_at: atGateway ? askNextAt(status, 0, nowMs)! : null,
    leased_until: atGateway ? nowMs + LEASE_MS : 0,
  };
  const id = await insertPayout(tx, row);
  const payout: PayoutRow = {
    ...row,
    id,
    transaction_id: '',
    invoice_id: 0,
    asks: 0,
    coupon_code: payable.code,
    display_name: payable.display_name!,
    email: payable.email!,
  };
  const isSetAside = await setAside(tx, {
    couponId: payout.coupon_id,
    amount: payout.amount,
    kind: 'payout',
    orderId: null,
    userId: by.actorId,
    note: `Payout ${id}: requested`,
    nowMs,
  });
  // Somebody else took the money between our look and our step: theirs is the payout.
  if (!isSetAside) throw new ApiError(inProgress);
  await tellPayout(tx, site, payout, payoutRequested, null, by);
  if (!atGateway) await mailAdministrators(tx, site, payout, nowMs);
  // Last: every payout of the day waits for the sums of the day.
  await moveDays(tx, site, undefined, payout);
  return payout;
}
