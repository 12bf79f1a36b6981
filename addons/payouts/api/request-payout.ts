import Type, { type Static } from 'typebox';
import type { BatchWork, Reader } from '../../../src/db/database.ts';
import { DatabaseUnavailable, UnknownOutcome } from '../../../src/db/unavailable.ts';
import { isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { HttpResponse } from '../../../src/kernel/declare/http-response.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import { NoEntropyError } from '../../../src/shared/secrets.ts';
import { canRefusePayouts, extensionRefusal } from '../extension.ts';
import { payoutOperation } from '../missing-tables.ts';
import { attemptPayment } from '../payment/call-gateway.ts';
import { viewerOf } from '../payment/failure-reason.ts';
import { settlePayout } from '../payment/settle-payout.ts';
import {
  inProgress,
  openRequested,
  type Opened,
  type OpeningRequest,
} from '../payout/open-payouts.ts';
import {
  findPayableAccount,
  findPayableCoupon,
  requireOwn,
  type AssignedAccount,
  type PayableAccount,
} from '../payout/payable-accounts.ts';
import { requirePayable, ruleErrors } from '../payout/payout-rules.ts';
import { autoAccept } from '../settings.ts';
import { PayoutSchema, pendingPayoutExample, toPayout } from './payout-wire.ts';

export const notCreated = defineError('svc_api_not_created', 409, 'The store refused the payout.');

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
    const coupon = requireOwn(await findPayableCoupon(db, input.coupon_id), caller);
    return openAndPay(site, caller, coupon, { nowMs });
  },
});

/** Opens a payout of an account, and pays it if it needs no review. */
export async function openAndPay(
  site: Site,
  caller: Caller,
  account: PayableAccount,
  options: Pick<OpeningRequest, 'nowMs' | 'retryOf'>,
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
      ? await findPayableCoupon(db, coupon_id)
      : await findPayableAccount(db, { coupon_id, user_id: userId });
  return requireOwn(found, caller);
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

/** The last two are answered like those of other changes: try again, and it may be stored. */
const ownResponses = [ApiError, NoEntropyError, DatabaseUnavailable, UnknownOutcome];

/** Opens a payout with the others that wait, unless it may need a decision that depends on them. */
async function open(site: Site, request: OpeningRequest): Promise<Opened> {
  const { database, log, settings } = site;
  try {
    if (request.retryOf === undefined && !settings.get(autoAccept)) {
      return openedOf(await database.batchedTransaction(openWaiting, { site, request }));
    }
    return await database.transaction(async (tx) =>
      openedOf((await openRequested(tx, site, [request]))[0]!),
    );
  } catch (error) {
    const hasOwnResponse = ownResponses.some((kind) => error instanceof kind);
    if (hasOwnResponse || database.dialect.isMissingTable(error)) throw error;
    log.error({ err: error, coupon_id: request.account.coupon_id }, 'a payout could not be stored');
    throw new ApiError(notCreated, { message: 'The payout could not be stored.' });
  }
}

interface WaitingRequest {
  readonly site: Site;
  readonly request: OpeningRequest;
}

const openWaiting: BatchWork<WaitingRequest, Opened | ApiError> = (tx, waiting) =>
  openRequested(
    tx,
    waiting[0]!.site,
    waiting.map(({ request }) => request),
  );

function openedOf(result: Opened | ApiError): Opened {
  if (result instanceof ApiError) throw result;
  return result;
}

async function answer(
  site: Site,
  caller: Caller,
  { payout, isNew, gateway }: Opened,
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
