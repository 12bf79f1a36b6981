import {
  failed,
  ignored,
  mappedOrFailed,
  objectOf,
  textOf,
  type Json,
} from '../../mapping/payload.ts';
import type { Mapped, MappingContext } from '../connector.ts';
import { lacksStatus, toStoreOrder } from './order.ts';

/** Maps what Shopify sends under a topic, or an order that was read. */
export function toOrder(payload: unknown, context: MappingContext, topic: string): Mapped {
  const body = objectOf(payload);
  if (topic.startsWith('draft_orders/') || isDraft(body)) {
    return ignored('A draft is not an order yet; Shopify sends the order when it is completed.');
  }
  if (isOrder(body)) {
    return mappedOrFailed(() =>
      body['test'] === true
        ? ignored('It is a test order of Shopify.')
        : {
            result: 'order',
            order: toStoreOrder(body, context),
            ...(lacksStatus(body) && { notShown: ['status'] }),
          },
    );
  }
  return toNotice(body, context, topic);
}

/** What is not an order itself. The topic is not signed, so it decides nothing about a body that is an order. */
function toNotice(body: Json, { canAsk }: MappingContext, topic: string): Mapped {
  const orderId = orderIdOf(body, topic);
  switch (topic) {
    case 'orders/delete':
      if (orderId === undefined) break;
      return { result: 'gone', externalId: orderId, reason: 'The order was deleted in Shopify.' };
    case 'refunds/create':
    case 'orders/edited':
      if (orderId === undefined) break;
      return canAsk
        ? { result: 'ask', externalId: orderId, reason: 'Only the order has all its figures.' }
        : ignored('The update of the order, which Shopify also sends, has the same figures.');
    case 'customers/redact':
      return {
        result: 'redact',
        externalIds: idsIn(body['orders_to_redact']),
        reason:
          'Shopify asked to delete the data of a customer. The deliveries with it were deleted; ' +
          'the orders keep amounts and a keyed hash, which identifies no person.',
      };
    case 'shop/redact':
      return {
        result: 'redact',
        externalIds: 'all',
        reason:
          'Shopify asked to delete the data of the shop. All its deliveries were deleted; ' +
          'the orders keep amounts and keyed hashes, which identify no person.',
      };
    case 'customers/data_request':
      return ignored(dataRequest(body));
    default:
      // Such as one whose payload was emptied.
      if (topic.startsWith('orders/')) break;
      return ignored(`The topic "${topic.slice(0, 100)}" is not about orders.`);
  }
  return failed(`A delivery "${topic}" names no order.`);
}

function dataRequest(body: Json): string {
  const orders = idsIn(body['orders_requested']);
  return (
    'A customer asks through Shopify which data is stored. Answer them within 30 days: ' +
    (orders.length === 0 ? 'of their orders' : `of the orders ${orders.slice(0, 20).join(', ')}`) +
    ' there are amounts, codes and a keyed hash of the address, and the deliveries of the last days.'
  );
}

/** The store's id of the order that a delivery is about. */
export function orderIdOf(body: Json, topic: string): string | undefined {
  if (isOrder(body)) return textOf(body['id']);
  if (topic === 'refunds/create') return textOf(body['order_id']);
  if (topic === 'orders/edited') return textOf(objectOf(body['order_edit'])['order_id']);
  return topic.startsWith('orders/') ? textOf(body['id']) : undefined;
}

/** Of an order, also one that cannot be mapped. */
export function externalIdIn(payload: unknown): string | undefined {
  return textOf(objectOf(payload)['id']);
}

function isOrder(body: Json): boolean {
  return textOf(body['id']) !== undefined && 'financial_status' in body && 'line_items' in body;
}

function isDraft(body: Json): boolean {
  return textOf(body['admin_graphql_api_id'])?.startsWith('gid://shopify/DraftOrder/') ?? false;
}

function idsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.flatMap((id) => textOf(id) ?? []) : [];
}
