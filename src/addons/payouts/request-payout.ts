import Type, { type Static } from 'typebox';
import type { Reader, BatchWork } from '../../db/database.ts';
import { actorId, isAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { requireOwnCoupon } from '../../modules/coupons/index.ts';
import { NoEntropyError } from '../../shared/secrets.ts';
import { canRefusePayouts, extensionRefusal } from './extension.ts';
import { viewerOf } from './payment/failure-reason.ts';
import { attemptPayment } from './payment/gateway-attempt.ts';
import {
  inProgress,
  openRequests,
  toWish,
  type Opened,
  type PayoutRequest,
} from './open-request.ts';
import { refusalOf, ruleErrors } from './payout-rules.ts';
import { findPayables } from './payout-store.ts';
import { PayoutSchema, pendingPayoutExample, toPayout } from './payout-wire.ts';
import { settlePayout } from './payment/settle-payout.ts';
import { unavailable, withStorage } from './missing-tables.ts';

export const notCreated = defineError('svc_api_not_created', 409, 'The store refused the payout.');

/** Coupons whose payout is being requested in this process. */
const inFlight = perSite(() => new Set<number>());

/** Requests that wait at the same moment are written down together. */
const openWaiting: BatchWork<PayoutRequest & { site: Site }, Opened | ApiError> = (tx, waiting) =>
  openRequests(tx, waiting[0]!.site, waiting);

const RequestedPayoutSchema = Type.Object(
  {
    ...PayoutSchema.properties,
    gateway_triggered: Type.Optional(
      Type.Boolean({ description: 'A gateway may have been called. Of a new payout only.' }),
    ),
    gateway_notice: Type.Optional(Type.String({ description: 'What the gateway has to say.' })),
  },
  { $id: 'RequestedPayout', examples: [{ ...pendingPayoutExample, gateway_triggered: false }] },
);
type RequestedPayout = Static<typeof RequestedPayoutSchema>;

export const requestPayout = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/payouts',
  summary: "Request a payout of a coupon's whole unpaid balance",
  description:
    'For admins and the affiliate of the coupon. While a request is open it is answered again, with ' +
    '200 and `X-Svc-Existing: 1`: trying twice never makes two.',
  access: 'owner',
  scope: 'write',
  body: Type.Object({ coupon_id: Id('The coupon.') }, { $id: 'RequestPayout' }),
  example: { body: { coupon_id: 12 } },
  status: 201,
  otherStatus: 200,
  response: RequestedPayoutSchema,
  headers: { 'X-Svc-Existing': '1 where an open payout is answered instead of a new one.' },
  errors: [...ruleErrors, notCreated, inProgress, unavailable, generalErrors.notFound],
  // A gateway is called in between: never inside a transaction.
  transaction: false,
  handle: withStorage(async ({ db, site, caller, nowMs }, input: { coupon_id: number }) => {
    const coupon = await requireOwnCoupon(db, caller, input.coupon_id);
    return alone(site, coupon.id, async () => {
      await requireConsent(db, site, caller, coupon.id);
      const opened = await writeDown({
        site,
        couponId: coupon.id,
        byAdmin: isAdmin(caller),
        actorId: actorId(caller),
        nowMs,
      });
      if (opened instanceof ApiError) throw opened;
      return answer(site, caller, opened);
    });
  }),
});

/** One request a coupon at a time. */
async function alone<T>(site: Site, couponId: number, request: () => Promise<T>): Promise<T> {
  const coupons = inFlight(site);
  if (coupons.has(couponId)) throw new ApiError(inProgress);
  coupons.add(couponId);
  try {
    return await request();
  } finally {
    coupons.delete(couponId);
  }
}

/** The site's own say. It may take its time, so it is asked before anything is written. */
async function requireConsent(
  db: Reader,
  site: Site,
  caller: Caller,
  couponId: number,
): Promise<void> {
  if (!canRefusePayouts(site)) return;
  const payable = (await findPayables(db, [couponId]))[0]!;
  if (payable.open_id !== null) return;
  const refused = refusalOf(toWish(payable, isAdmin(caller)), site);
  if (refused) throw refused;
  const refusal = await extensionRefusal(site, {
    coupon_id: payable.coupon_id,
    user_id: payable.user_id!,
    amount: site.currency.toMajor(payable.unpaid),
    currency: site.currency.code,
    method_type: payable.method_type ?? '',
  });
  if (refusal !== undefined) throw new ApiError(notCreated, { message: refusal });
}

async function writeDown(request: PayoutRequest & { site: Site }): Promise<Opened | ApiError> {
  const { database, log } = request.site;
  try {
    return await database.batchedTransaction(openWaiting, request);
  } catch (error) {
    // A failure that has a name of its own keeps it.
    if (error instanceof NoEntropyError || database.dialect.isMissingTable(error)) throw error;
    log.error({ err: error, coupon_id: request.couponId }, 'a payout could not be written down');
    return new ApiError(notCreated, { message: 'The payout could not be written down.' });
  }
}

async function answer(
  site: Site,
  caller: Caller,
  opened: Opened,
): Promise<HttpResponse<RequestedPayout>> {
  const { payout, isNew, gateway } = opened;
  if (!isNew) {
    // The coupon has changed hands since: what is open is not for its new affiliate to see.
    if (!isAdmin(caller) && payout.user_id !== caller.person?.id) {
      throw new ApiError(inProgress, {
        message: 'A payout of this coupon to another affiliate is still open.',
      });
    }
    // Somebody talks to the gateway about it, in this process or another.
    if (payout.leased_until > site.clock()) throw new ApiError(inProgress);
    const body = toPayout(payout, site, viewerOf(caller));
    return new HttpResponse(body, { status: 200, headers: { 'X-Svc-Existing': '1' } });
  }
  const viewer = viewerOf(caller);
  if (!gateway) return created(toPayout(payout, site, viewer), { triggered: false });

  const attempt = await attemptPayment(site, gateway, payout, { counted: !gateway.prepare });
  const { outcome } = attempt;
  const settled = await site.database.transaction((tx) =>
    settlePayout(tx, site, attempt, site.clock()),
  );
  const body = toPayout(settled, site, viewer);
  const notice =
    body.failure_reason?.message ??
    ('notice' in outcome ? outcome.notice : undefined) ??
    (settled.status === 'processing' ? NOT_YET : undefined);
  return created(body, { triggered: outcome.status !== 'failed', notice });
}

const NOT_YET = 'The payment is not confirmed yet. It is followed up automatically.';

function created(
  payout: ReturnType<typeof toPayout>,
  { triggered, notice }: { triggered: boolean; notice?: string | undefined },
): HttpResponse<RequestedPayout> {
  const body = { ...payout, gateway_triggered: triggered };
  return new HttpResponse(notice ? { ...body, gateway_notice: notice } : body, { status: 201 });
}
