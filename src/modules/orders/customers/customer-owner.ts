import Type, { type Static } from 'typebox';
import type { Reader, Transaction } from '../../../db/database.ts';
import { actorId, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, LocalTime, Nullable } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { findUser, invalidUser, toPerson, toUser, UserSchema } from '../../users/index.ts';
import { lockManyOrders } from '../order-locks.ts';
import { findOrder } from '../order-rows.ts';
import { lifetimeAttribution, stayEndsMs } from '../settings.ts';
import { emitOwnerChange } from './owner-events.ts';
import {
  findCouponToStayWith,
  findOwner,
  forgetOwner,
  replaceCustomers,
  type OwnerRow,
} from './owner-rows.ts';

const orderOfCustomer = Type.Object({
  order_id: Id("The store's number of an order of the customer."),
});

const CustomerOwnerSchema = Type.Object(
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

interface Answering {
  readonly site: Site;
  readonly caller: Caller;
}

async function answerOwner(
  db: Reader,
  { site, caller }: Answering,
  customerHash: string | null,
): Promise<Static<typeof CustomerOwnerSchema>> {
  const owner =
    customerHash === null ? undefined : await findOwner(db, { customer_hash: customerHash });
  const user = owner?.user_id ? await findUser(db, owner.user_id) : undefined;
  const endsMs = owner ? stayEndsMs(site, owner.extended_at ?? owner.credited_at) : Infinity;
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
async function openOwner(
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

export const getOwner = operation({
  method: 'GET',
  namespace: 'store',
  path: '/orders/{order_id}/customer',
  summary: 'Get the affiliate that the customer of an order stays with',
  access: 'admin',
  scope: 'read',
  params: orderOfCustomer,
  response: CustomerOwnerSchema,
  errors: [generalErrors.notFound],
  async handle(context, { order_id }) {
    const order = requireFound(await findOrder(context.db, { order_id }));
    return answerOwner(context.db, context, order.customer_hash);
  },
});

export const setOwner = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/orders/{order_id}/customer',
  summary: 'Give the customer of an order to an affiliate',
  description:
    'Later orders of the customer are credited to the oldest active coupon of the affiliate, as far as ' +
    '`attribution.lifetime` says so; the days of `attribution.lifetime_days` start now. Orders so far stay as they are.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  params: orderOfCustomer,
  body: Type.Object(
    { user_id: Id('The affiliate. It needs an active coupon.') },
    { $id: 'SetCustomerOwner' },
  ),
  example: { body: { user_id: 7 } },
  response: CustomerOwnerSchema,
  errors: [generalErrors.notFound, invalidUser],
  async handle(context, { order_id, user_id }) {
    const { db, site, caller, nowMs } = context;
    const { customerHash, owner } = await openOwner(db, order_id);
    const coupon = await findCouponToStayWith(db, { user_id });
    if (!coupon) {
      throw new ApiError(invalidUser, {
        message: 'The affiliate has no active coupon.',
        data: { params: { user_id: 'is not an affiliate with an active coupon' } },
      });
    }
    const isStaying =
      owner?.creditable === 1 && nowMs <= stayEndsMs(site, owner.extended_at ?? owner.credited_at);
    if (!isStaying || owner.user_id !== user_id) {
      const row = {
        customer_hash: customerHash,
        coupon_id: coupon.id,
        user_id,
        // Stores date their orders to the second.
        credited_at: nowMs - (nowMs % 1_000),
        extended_at: null,
        is_assigned: 1,
      };
      await db.runMany(replaceCustomers, [row]);
      emitOwnerChange(
        db,
        order_id,
        owner,
        { user_id, coupon_id: coupon.id },
        { actorId: actorId(caller), nowMs },
      );
    }
    return answerOwner(db, context, customerHash);
  },
});

export const deleteOwner = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/orders/{order_id}/customer',
  summary: 'Take the customer of an order from their affiliate',
  description:
    'The customer stays with no affiliate until a coupon or a link brings them again. Orders so far stay as they are.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  params: orderOfCustomer,
  response: CustomerOwnerSchema,
  example: {
    response: {
      affiliate: null,
      coupon_id: null,
      coupon_code: null,
      since: null,
      until: null,
      follows: false,
    },
  },
  errors: [generalErrors.notFound],
  async handle(context, { order_id }) {
    const { db, caller, nowMs } = context;
    const { customerHash, owner } = await openOwner(db, order_id);
    if (owner) {
      await forgetOwner(db, { customer_hash: customerHash });
      emitOwnerChange(db, order_id, owner, undefined, { actorId: actorId(caller), nowMs });
    }
    return answerOwner(db, context, customerHash);
  },
});
