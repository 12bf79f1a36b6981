import Type, { type Static } from 'typebox';
import type { Reader, Transaction } from '../../../db/database.ts';
import type { Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { Id, LocalTime, Nullable } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { findUser, toPerson, toUser, UserSchema } from '../../users/index.ts';
import { lockManyOrders } from '../order-locks.ts';
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
