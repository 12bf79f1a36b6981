import Type, { type Static } from 'typebox';
import type { Reader, Transaction } from '../../../db/database.ts';
import { actorId, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { defineEvent } from '../../../kernel/declare/event.ts';
import { Id, LocalTime, Nullable } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { emit } from '../../events/index.ts';
import { findUser, toPerson, toUser, UserSchema } from '../../users/index.ts';
import { lockManyOrders } from '../ingest-orders.ts';
import { findOrder } from '../order-rows.ts';
import { lifetimeAttribution, stayEndsMs } from '../settings.ts';
import { findOwner, type OwnerRow } from './owner-rows.ts';

export const orderOfCustomer = Type.Object({
  order_id: Id("The store's number of an order of the customer."),
});

export const CustomerOwnerSchema = Type.Object(
  {
    has_customer: Type.Boolean({ description: 'Whether the order names a customer.' }),
    lifetime: Type.Boolean({
      description:
        'The setting `attribution.lifetime`: customers stay with the affiliate of their first order.',
    }),
    affiliate: Nullable(UserSchema),
    coupon_id: Nullable(Id('The coupon that later orders of the customer are credited to.')),
    coupon_code: Nullable(Type.String({ description: 'The code of that coupon.' })),
    since: Nullable(
      LocalTime(
        'When the time of `attribution.lifetime_days` began: with an order, or when the team assigned the customer.',
      ),
    ),
    until: Nullable(LocalTime('When that time ends; null if it does not.')),
    follows: Type.Boolean({
      description:
        'Whether an order of the customer that names no coupon and no link would be credited to the affiliate now.',
    }),
  },
  {
    $id: 'CustomerOwner',
    examples: [
      {
        has_customer: true,
        lifetime: true,
        affiliate: { id: 7, display_name: 'Maya Ortiz', login: 'maya', email: 'maya@example.com' },
        coupon_id: 12,
        coupon_code: 'MAYA10',
        since: '2026-01-20T14:05:09',
        until: '2027-01-20T14:05:09',
        follows: true,
      },
    ],
  },
);

export const customerAffiliateChanged = defineEvent(
  'customer.affiliate_changed',
  'The team gave a customer to another affiliate, or to none. Orders so far stay as they are.',
  Type.Object({
    order_id: Type.Integer({ description: 'An order of the customer.' }),
    user_id: Nullable(Type.Integer({ description: 'The affiliate that the customer has now.' })),
    coupon_id: Nullable(Type.Integer({ description: 'The coupon that later orders go to.' })),
    previous_user_id: Nullable(Type.Integer({ description: 'The affiliate before.' })),
    previous_coupon_id: Nullable(Type.Integer({ description: 'The coupon before.' })),
  }),
  {
    id: 157,
    timestamp: '2026-03-02T17:30:44.120Z',
    data: {
      order_id: 1042,
      user_id: 7,
      coupon_id: 12,
      previous_user_id: 9,
      previous_coupon_id: 15,
    },
  },
  'order',
);

interface Answering {
  readonly site: Site;
  readonly caller: Caller;
}

export async function answerOwner(
  db: Reader,
  { site, caller }: Answering,
  customerHash: string | null,
): Promise<Static<typeof CustomerOwnerSchema>> {
  const owner =
    customerHash === null ? undefined : await findOwner(db, { customer_hash: customerHash });
  const user = owner?.user_id ? await findUser(db, owner.user_id) : undefined;
  const endsMs = owner ? stayEndsMs(site, owner.credited_at) : Infinity;
  const lifetime = site.settings.get(lifetimeAttribution);
  const { calendar } = site;
  return {
    has_customer: customerHash !== null,
    lifetime,
    affiliate: user ? toUser(toPerson(user), caller) : null,
    coupon_id: owner?.coupon_id ?? null,
    coupon_code: owner?.code ?? null,
    since: calendar.toLocal(owner?.credited_at ?? null),
    until: calendar.toLocal(endsMs === Infinity ? null : endsMs),
    follows: lifetime && owner?.creditable === 1 && site.clock() <= endsMs,
  };
}

/** Finds the customer of an order and whom they belong to, while no order is credited. */
export async function openOwner(
  tx: Transaction,
  orderId: number,
): Promise<{ customerHash: string; owner: OwnerRow | undefined }> {
  await lockManyOrders(tx);
  const order = requireFound(await findOrder(tx, { order_id: orderId }));
  const { customer_hash: customerHash } = order;
  if (customerHash === null) {
    throw new ApiError(generalErrors.notFound, { message: 'The order names no customer.' });
  }
  return { customerHash, owner: await findOwner(tx, { customer_hash: customerHash }) };
}

export function emitOwnerChange(
  tx: Transaction,
  orderId: number,
  before: OwnerRow | undefined,
  after: { user_id: number; coupon_id: number } | undefined,
  { caller, nowMs }: { caller: Caller; nowMs: number },
): void {
  const whom = after ? `affiliate ${after.user_id}` : 'no affiliate';
  emit(tx, customerAffiliateChanged, {
    objectId: orderId,
    userId: actorId(caller),
    info: `The customer of order ${orderId} belongs to ${whom} now.`,
    data: {
      order_id: orderId,
      user_id: after?.user_id ?? null,
      coupon_id: after?.coupon_id ?? null,
      previous_user_id: before?.user_id ?? null,
      previous_coupon_id: before?.coupon_id ?? null,
    },
    nowMs,
  });
}
