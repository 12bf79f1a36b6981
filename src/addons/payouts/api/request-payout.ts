import Type, { type Static } from 'typebox';
import type { Reader, Transaction } from '../../../db/database.ts';
import { DatabaseUnavailable, UnknownOutcome } from '../../../db/unavailable.ts';
import { requireProof } from '../../../kernel/call/proof.ts';
import { actorId, isAdmin, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { perSite, type Site } from '../../../kernel/declare/site.ts';
import { lockBalances } from '../../../modules/ledger/index.ts';
import { NoEntropyError } from '../../../shared/secrets.ts';
import { readSavedDetails, type Details } from '../details/details-rows.ts';
import { canRefusePayouts, extensionRefusal, type Gateway } from '../extension.ts';
import { findMethod } from '../gateways/methods.ts';
import { payoutOperation } from '../missing-tables.ts';
import { attemptPayment, LEASE_MS } from '../payment/call-gateway.ts';
import { viewerOf } from '../payment/failure-reason.ts';
import { nextAskAt, settlePayout } from '../payment/settle-payout.ts';
import { applyPayoutChange } from '../payout/apply-payout-change.ts';
import { checkRequest } from '../payout/check-request.ts';
import {
  findPayableAccount,
  findPayableCoupon,
  type AssignedAccount,
  type PayableAccount,
} from '../payout/payable-accounts.ts';
import { findPayout, type PayoutDraft, type PayoutRow } from '../payout/payout-rows.ts';
import { findImmediateGateway, requirePayable, ruleErrors } from '../payout/payout-rules.ts';
import { requireRetryable } from '../retry/retry-of.ts';
import { PayoutSchema, pendingPayoutExample, toPayout } from './payout-wire.ts';

export const notCreated = defineError('svc_api_not_created', 409, 'The store refused the payout.');

export const inProgress = defineError(
  'svc_api_in_progress',
  409,
  'Another request for a payout of this coupon is in progress.',
);

const NOT_CONFIRMED = 'The payment is not confirmed yet. We follow it up automatically.';

/** Accounts for which this process is handling a request. */
const inFlight = perSite(() => new Set<string>());

export const RequestedPayoutSchema = Type.Object(
  {
    ...PayoutSchema.properties,
    gateway_triggered: Type.Optional(
      Type.Boolean({
        description:
          'True if a gateway was called, or may have been, whatever it answered. New payouts only.',
      }),
    ),
    gateway_notice: Type.Optional(
      Type.String({ description: 'A message from or about the gateway.' }),
    ),
  },
  { $id: 'RequestedPayout', examples: [{ ...pendingPayoutExample, gateway_triggered: false }] },
);
export type RequestedPayout = Static<typeof RequestedPayoutSchema>;

export const requestErrors = [...ruleErrors, notCreated, inProgress, generalErrors.notFound];

export const requestPayout = payoutOperation({
  method: 'POST',
  namespace: 'v2',
  path: '/payouts',
  summary: "Request a payout of a coupon's full unpaid balance",
  description:
    "For admins and the coupon's affiliate. While a payout of that affiliate's balance on it is open, the request returns that " +
    'payout with 200 and `X-Svc-Existing: 1`, so a retry never creates a second one. If a gateway pays it right away, ' +
    'the session of an admin needs a recent proof.',
  access: 'owner',
  scope: 'write',
  proof: 'sometimes',
  body: Type.Object({ coupon_id: Id('The coupon.') }, { $id: 'RequestPayout' }),
  example: { body: { coupon_id: 12 } },
  status: 201,
  otherStatus: 200,
  response: RequestedPayoutSchema,
  headers: { 'X-Svc-Existing': '1 if the response is an open payout instead of a new one.' },
  errors: requestErrors,
  // A gateway is called between two transactions, never inside one.
  transaction: false,
  async handle({ db, site, caller, nowMs }, input) {
    const coupon = requireOwn(await findPayableCoupon(db, input), caller);
    return openAndPay(site, caller, coupon, { nowMs });
  },
});

interface OpeningOptions {
  readonly nowMs: number;
  /** The failed payout whose amount is paid again. */
  readonly retryOf?: PayoutRow;
}

/** Opens a payout of an account, and pays it if it needs no review. */
export async function openAndPay(
  site: Site,
  caller: Caller,
  account: PayableAccount,
  options: OpeningOptions,
): Promise<HttpResponse<RequestedPayout>> {
  const key = `${account.coupon_id} ${account.user_id}`;
  const accounts = inFlight(site);
  if (accounts.has(key)) throw new ApiError(inProgress);
  accounts.add(key);
  try {
    await requireConsent(site, caller, account);
    return await answer(site, caller, await open(site, { account, caller, ...options }));
  } finally {
    accounts.delete(key);
  }
}

/** The account of today's affiliate for admins, the own one for anyone else, also of a former coupon. */
export async function findOwnAccount(
  db: Reader,
  caller: Caller,
  coupon_id: number,
): Promise<PayableAccount> {
  const userId = isAdmin(caller) ? undefined : caller.person?.id;
  const found =
    userId === undefined
      ? await findPayableCoupon(db, { coupon_id })
      : await findPayableAccount(db, { coupon_id, user_id: userId });
  return requireOwn(found, caller);
}

/** A coupon of another affiliate looks like one that does not exist. */
export function requireOwn<A extends PayableAccount>(coupon: A | undefined, caller: Caller): A {
  const isOwner = caller.person !== null && coupon?.user_id === caller.person.id;
  if (coupon && (isAdmin(caller) || isOwner)) return coupon;
  throw new ApiError(generalErrors.notFound);
}

/** Asks the extensions. They may be slow, so they are asked before the transaction. */
async function requireConsent(site: Site, caller: Caller, coupon: PayableAccount): Promise<void> {
  if (coupon.open_id !== null || !canRefusePayouts(site)) return;
  requirePayable(coupon, isAdmin(caller), site);
  const refusal = await refusalOf(site, coupon);
  if (refusal !== undefined) throw new ApiError(notCreated, { message: refusal });
}

/** The message of the first extension that refuses a payout which no rule forbids. */
export function refusalOf(site: Site, coupon: AssignedAccount): Promise<string | undefined> {
  return extensionRefusal(site, {
    coupon_id: coupon.coupon_id,
    user_id: coupon.user_id,
    amount: site.currency.toMajor(coupon.unpaid),
    currency: site.currency.code,
    method_type: coupon.method_type ?? '',
  });
}

interface OpeningRequest extends OpeningOptions {
  readonly account: Pick<PayableAccount, 'coupon_id' | 'user_id'>;
  readonly caller: Caller;
}

interface OpeningResult {
  readonly payout: PayoutRow;
  readonly isNew: boolean;
  /** The gateway to call now that the payout is stored as `processing`. */
  readonly gateway?: Gateway | undefined;
}

/** The last two are answered like those of other changes: try again, and it may be stored. */
const ownResponses = [ApiError, NoEntropyError, DatabaseUnavailable, UnknownOutcome];

async function open(site: Site, request: OpeningRequest): Promise<OpeningResult> {
  const { database, log } = site;
  try {
    return await database.transaction((tx) => openPayout(tx, site, request));
  } catch (error) {
    const hasOwnResponse = ownResponses.some((kind) => error instanceof kind);
    if (hasOwnResponse || database.dialect.isMissingTable(error)) throw error;
    log.error({ err: error, coupon_id: request.account.coupon_id }, 'a payout could not be stored');
    throw new ApiError(notCreated, { message: 'The payout could not be stored.' });
  }
}

/**
 * Finds the account's open payout, or opens one for the full unpaid balance.
 * @internal Exported for its test and the benchmark.
 */
export async function openPayout(
  tx: Transaction,
  site: Site,
  { account: requested, caller, nowMs, retryOf }: OpeningRequest,
): Promise<OpeningResult> {
  const { coupon_id, user_id } = requested;
  const [, found] = await Promise.all([
    // Until the transaction ends no other one changes the account's balance or opens a payout of it.
    lockBalances(tx, [coupon_id]),
    // It is the same account, whether or not the coupon was reassigned since the request was authorised. The
    // statement runs after the one that locks, and so sees what was committed while that one waited.
    user_id === null ? undefined : findPayableAccount(tx, { coupon_id, user_id }),
  ]);
  const coupon = requireOwn(found ?? (await findPayableCoupon(tx, { coupon_id })), caller);
  if (retryOf) await requireRetryable(tx, retryOf);
  if (coupon.open_id !== null) {
    if (retryOf) throw inProgressAs(coupon.open_id);
    return { payout: (await findPayout(tx, coupon.open_id))!, isNew: false };
  }
  requirePayable(coupon, isAdmin(caller), site);
  const held = await checkRequest(tx, site, coupon, nowMs);
  const gateway = held.length > 0 ? undefined : await findImmediateGateway(tx, site, coupon, nowMs);
  // Affiliates get their own money, at a destination whose change needed a proof.
  if (gateway && isAdmin(caller)) requireProof(caller, nowMs);
  const payout = await applyPayoutChange(tx, site, {
    source: 'request',
    draft: { ...toDraft(site, coupon, gateway, nowMs), retry_of: retryOf?.id ?? null },
    actorId: actorId(caller),
    nowMs,
    ...(retryOf && { note: `again after payout ${retryOf.id}` }),
  });
  for (const hold of held) await hold(payout.id);
  return { payout, isNew: true, gateway };
}

/** The open payout has the full balance, so it pays what the failed one did not. */
function inProgressAs(payoutId: number): ApiError {
  const message = `Payout ${payoutId} of the same coupon is open and has the amount.`;
  return new ApiError(inProgress, { message, data: { payout_id: payoutId } });
}

function toDraft(
  site: Site,
  coupon: AssignedAccount,
  gateway: Gateway | undefined,
  nowMs: number,
): Omit<PayoutDraft, 'retry_of'> {
  const type = coupon.method_type ?? '';
  return {
    coupon_id: coupon.coupon_id,
    coupon_code: coupon.code,
    user_id: coupon.user_id,
    display_name: coupon.display_name,
    email: coupon.email,
    language: coupon.language,
    muted_notices: coupon.muted_notices,
    amount: coupon.unpaid,
    method_type: type,
    method: findMethod(site, type)?.label ?? type,
    status: gateway ? 'processing' : 'pending',
    destination: readDestination(site, coupon),
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

async function answer(
  site: Site,
  caller: Caller,
  { payout, isNew, gateway }: OpeningResult,
): Promise<HttpResponse<RequestedPayout>> {
  const viewer = viewerOf(caller);
  if (!isNew) {
    // This process or another one is calling the gateway.
    if (payout.leased_until > site.clock()) throw new ApiError(inProgress);
    const body = toPayout(payout, site, viewer);
    return new HttpResponse(body, { status: 200, headers: { 'X-Svc-Existing': '1' } });
  }
  if (!gateway) {
    const body = { ...toPayout(payout, site, viewer), gateway_triggered: false };
    return new HttpResponse(body, { status: 201 });
  }
  const attempt = await attemptPayment(site, gateway, payout, { counted: !gateway.prepare });
  const { outcome } = attempt;
  const settled = await site.database.transaction((tx) =>
    settlePayout(tx, site, attempt, site.clock()),
  );
  const body = toPayout(settled, site, viewer);
  const notice =
    body.failure_reason?.message ??
    ('notice' in outcome ? outcome.notice : undefined) ??
    (settled.status === 'processing' ? NOT_CONFIRMED : undefined);
  return new HttpResponse(
    { ...body, gateway_triggered: true, ...(notice && { gateway_notice: notice }) },
    { status: 201 },
  );
}
