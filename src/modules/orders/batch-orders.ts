import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, itemErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { errorSchemas, ReadLater } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { exampleOf } from '../../kernel/present/openapi/examples.ts';
import type { StoredOrder } from './incoming-order.ts';
import { ingestEach } from './ingest-orders.ts';
import { orderExample } from './order-fields.ts';
import type { PreparedOrder } from './order-input.ts';
import { ReferralSchema, toReferral } from './order-wire.ts';
import { OrderOfBatch, readOrder } from './read-order.ts';
import type { ChangeContext } from './settle-referral.ts';

const ORDERS_MAX = 1_000;

const ResultSchema = Type.Object(
  {
    order_id: Type.Unknown({ description: 'As it was sent.', examples: [1042] }),
    status: Type.Integer({
      description: 'The HTTP status that a PUT of this order would have returned.',
    }),
    referrals: Type.Optional(Type.Array(ReferralSchema)),
    code: Type.Optional(Type.String({ description: 'The error code.' })),
    message: Type.Optional(Type.String({ description: 'The error message.' })),
    ...errorSchemas,
  },
  {
    $id: 'BatchResult',
    examples: [{ order_id: 1042, status: 201, referrals: [exampleOf(ReferralSchema)] }],
  },
);

export const batchOrders = operation({
  method: 'POST',
  namespace: 'store',
  path: '/orders/batch',
  bodyValuesMax: 60_000,
  summary: 'Ingest up to 1,000 orders',
  description:
    'One result per order, in the same order. Only faulty orders and those of connected stores are rejected.',
  access: 'admin',
  scope: 'write',
  proof: true,
  body: Type.Object(
    {
      orders: Type.Array(ReadLater(OrderOfBatch), {
        minItems: 1,
        maxItems: ORDERS_MAX,
        description: 'Each is validated separately.',
      }),
    },
    { $id: 'StoreOrders' },
  ),
  example: { body: { orders: [{ order_id: 1042, ...orderExample }] } },
  response: Type.Object(
    { results: Type.Array(ResultSchema, { description: 'In the order of `orders`.' }) },
    { $id: 'StoredOrders' },
  ),
  async handle({ db, site, caller, nowMs }, { orders }) {
    return { results: await storeBatch(db, site, orders, { actorId: actorId(caller), nowMs }) };
  },
});

/** Stores orders as they were sent, each checked by itself; one result per order. */
export async function storeBatch(
  tx: Transaction,
  site: Site,
  orders: readonly unknown[],
  context: ChangeContext,
  { isHistory = false } = {},
) {
  const read = orders.map((raw) => prepared(site, raw));
  const sent = read.flatMap((order) =>
    order instanceof ApiError ? [] : [{ order, context, isHistory }],
  );
  const stored = (await ingestEach(tx, site, sent)).values();
  return read.map((order, i) => {
    if (order instanceof ApiError) return refused(orders[i], order);
    const result = stored.next().value!;
    return result instanceof ApiError
      ? refused(orders[i], result)
      : toResult(site, order.orderId, result);
  });
}

function toResult(site: Site, orderId: number, { isNew, referrals }: StoredOrder) {
  return {
    order_id: orderId,
    status: isNew ? 201 : 200,
    referrals: referrals.map((row) => toReferral(row, site)),
  };
}

/** Rejects an invalid order here, before any of its writes. */
function prepared(site: Site, raw: unknown): PreparedOrder | ApiError {
  try {
    return readOrder(site, raw);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function refused(raw: unknown, error: ApiError) {
  const { code, status } = error.definition;
  const orderId = (raw as { order_id?: unknown } | null)?.order_id ?? null;
  return { order_id: orderId, status, code, message: error.message, ...itemErrors(error) };
}
