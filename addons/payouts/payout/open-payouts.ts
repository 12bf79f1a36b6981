import type { Transaction } from '../../../src/db/database.ts';
import { requireProof } from '../../../src/kernel/call/proof.ts';
import { actorId, isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { lockBalances } from '../../../src/modules/ledger/index.ts';
import { readSavedDetails, type Details } from '../details/details-rows.ts';
import type { Gateway } from '../extension.ts';
import { findMethod } from '../gateways/methods.ts';
import { LEASE_MS } from '../payment/call-gateway.ts';
import { nextAskAt } from '../payment/settle-payout.ts';
import { requireRetryable } from '../retry/retry-of.ts';
import { openPayouts } from './apply-payout-change.ts';
import { checkRequest } from './check-request.ts';
import {
  accountOf,
  findAccountsOfCoupons,
  requireOwn,
  todaysAccount,
  type AssignedAccount,
  type PayableAccount,
  type RequestedAccount,
} from './payable-accounts.ts';
import { findPayout, type PayoutDraft, type PayoutRow } from './payout-rows.ts';
import { findImmediateGateway, requirePayable } from './payout-rules.ts';

export const inProgress = defineError(
  'svc_api_in_progress',
  409,
  'Another request for a payout of this coupon is in progress.',
);

/** A request for a payout of an account. */
export interface OpeningRequest {
  readonly account: Pick<PayableAccount, 'coupon_id' | 'user_id'>;
  readonly caller: Caller;
  readonly nowMs: number;
  /** The failed payout whose amount is paid again. */
  readonly retryOf?: PayoutRow;
}

export interface Opened {
  readonly payout: PayoutRow;
  readonly isNew: boolean;
  /** The gateway to call now that the payout is stored as `processing`. */
  readonly gateway?: Gateway | undefined;
}

/** A payout that no rule forbids. */
interface Accepted {
  readonly request: OpeningRequest;
  readonly account: AssignedAccount & RequestedAccount;
  readonly destination: Details | null;
}

/**
 * Finds the open payout of each account, or opens one for the full unpaid balance. The result of a request that a rule
 * forbids is the reason.
 */
export async function openRequested(
  tx: Transaction,
  site: Site,
  requests: readonly OpeningRequest[],
): Promise<(Opened | ApiError)[]> {
  const couponIds = [...new Set(requests.map(({ account }) => account.coupon_id))];
  const [, found] = await Promise.all([
    // Until the transaction ends no other one changes the balances of the accounts or opens a payout of them.
    lockBalances(tx, couponIds),
    // The statement runs after the one that locks, and so sees what was committed while that one waited.
    findAccountsOfCoupons(tx, couponIds),
  ]);
  const byCoupon = Map.groupBy(found, ({ coupon_id }) => coupon_id);
  const results = new Map<OpeningRequest, Opened | ApiError>();
  const accepted: Accepted[] = [];
  for (const request of requests) {
    const { coupon_id, user_id } = request.account;
    const accounts = byCoupon.get(coupon_id) ?? [];
    // The same account, whether or not the coupon was reassigned since the request was authorised.
    const account = accountOf(accounts, user_id) ?? todaysAccount(accounts);
    try {
      const decided = await decide(tx, site, request, account);
      if ('payout' in decided) results.set(request, decided);
      else accepted.push(decided);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      results.set(request, error);
    }
  }
  const openings = [];
  // One after another, because a check may depend on what the one before has written.
  for (const one of accepted) openings.push(await prepare(tx, site, one));
  const payouts = await openPayouts(tx, site, openings);
  for (const [i, { gateway, held }] of openings.entries()) {
    const payout = payouts[i]!;
    for (const hold of held) await hold(payout.id);
    results.set(accepted[i]!.request, { payout, isNew: true, gateway });
  }
  return requests.map((request) => results.get(request)!);
}

/** Writes nothing, because the transaction is committed even if the request is refused. */
async function decide(
  tx: Transaction,
  site: Site,
  request: OpeningRequest,
  found: RequestedAccount | undefined,
): Promise<Opened | Accepted> {
  const { caller, retryOf } = request;
  const account = requireOwn(found, caller);
  if (retryOf) await requireRetryable(tx, retryOf);
  if (account.open_id !== null) {
    if (retryOf) throw inProgressAs(account.open_id);
    return { payout: (await findPayout(tx, account.open_id))!, isNew: false };
  }
  requirePayable(account, isAdmin(caller), site);
  return { request, account, destination: readDestination(site, account) };
}

/** The open payout has the full balance, so it pays what the failed one did not. */
function inProgressAs(payoutId: number): ApiError {
  const message = `Payout ${payoutId} of the same coupon is open and has the amount.`;
  return new ApiError(inProgress, { message, data: { payout_id: payoutId } });
}

async function prepare(tx: Transaction, site: Site, { request, account, destination }: Accepted) {
  const { caller, nowMs, retryOf } = request;
  const held = await checkRequest(tx, site, account, nowMs);
  const gateway =
    held.length > 0 ? undefined : await findImmediateGateway(tx, site, account, nowMs);
  // Affiliates get their own money, at a destination whose change needed a proof.
  if (gateway && isAdmin(caller)) requireProof(caller, nowMs);
  const draft = {
    ...toDraft(site, account, gateway, nowMs),
    destination,
    retry_of: retryOf?.id ?? null,
  };
  const note = retryOf && `again after payout ${retryOf.id}`;
  return { draft, actorId: actorId(caller), nowMs, note, gateway, held };
}

function toDraft(
  site: Site,
  account: AssignedAccount,
  gateway: Gateway | undefined,
  nowMs: number,
): Omit<PayoutDraft, 'destination' | 'retry_of'> {
  const type = account.method_type ?? '';
  return {
    coupon_id: account.coupon_id,
    coupon_code: account.code,
    user_id: account.user_id,
    display_name: account.display_name,
    email: account.email,
    language: account.language,
    muted_notices: account.muted_notices,
    amount: account.unpaid,
    method_type: type,
    method: findMethod(site, type)?.label ?? type,
    status: gateway ? 'processing' : 'pending',
    requested_at: nowMs,
    requested_day: site.calendar.dayOf(nowMs),
    ask_at: gateway ? (nextAskAt('processing', 0, nowMs) ?? null) : null,
    leased_until: gateway ? nowMs + LEASE_MS : 0,
    // A gateway without `prepare` is asked to pay right after this commit.
    pay_attempts: gateway && !gateway.prepare ? 1 : 0,
  };
}

function readDestination(site: Site, { user_id, details }: AssignedAccount): Details | null {
  if (details === null) return null;
  try {
    return readSavedDetails(site, { user_id, details });
  } catch (error) {
    site.log.error({ err: error, user_id }, 'the payout details of an affiliate cannot be read');
    throw new ApiError(generalErrors.serverError);
  }
}
