import Type from 'typebox';
import { InputReader } from '../../kernel/call/parameters.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { orderFields, type OrderInput } from './order-fields.ts';
import { checkOrder, prepareOrder, type PreparedOrder } from './order-input.ts';

/** One order, with the same schema as in PUT. */
export const OrderOfBatch = Type.Object(
  { order_id: Id("The store's number of the order."), ...orderFields },
  { $id: 'StoreOrderOfBatch' },
);
/** Stands for a number that is not known yet. No store numbers its orders this high. */
export const NO_ORDER_ID = Number.MAX_SAFE_INTEGER;

const reader = new InputReader({ body: OrderOfBatch }, { closed: true });

/** Checks an order as PUT does, before any of its writes. Throws the `ApiError` that a PUT would respond with. */
export function readOrder(site: Site, raw: unknown, storeId: number | null = null): PreparedOrder {
  const given = { params: {}, query: {}, body: raw, bodyIsText: false };
  const input = reader.read(given, (order, errors) => checkOrder(order, errors, site));
  // The reader has checked the input against the schema that the type comes from.
  return prepareOrder(site, input as OrderInput, { storeId });
}
