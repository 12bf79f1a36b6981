import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type StoreApi } from '../connector.ts';
import { asDelivered, type WholeOrder, type WholeRefund } from './as-delivered.ts';
import { queryShopify } from './client.ts';
import {
  ADJUSTMENTS,
  LINES,
  PAYMENTS,
  REFUNDED_LINES,
  REFUNDED_SHIPPING,
  REFUNDS,
  REFUNDS_TOGETHER,
  SHIPPING,
  restOf,
  type List,
} from './order-queries.ts';

/** Reads what an order has beyond the answer of its query, so that nothing of it is lost. */
export async function completed(store: StoreApi, order: Json): Promise<Json> {
  const whole: WholeOrder = {
    order,
    lines: await wholeList(store, order, LINES),
    shippingLines: await wholeList(store, order, SHIPPING),
    refunds: await readRefunds(store, objectsOf(order['refunds'])),
  };
  return asDelivered(whole);
}

async function readRefunds(store: StoreApi, named: readonly Json[]): Promise<WholeRefund[]> {
  const refunds: WholeRefund[] = [];
  for (let i = 0; i < named.length; i += REFUNDS_TOGETHER) {
    const ids = named.slice(i, i + REFUNDS_TOGETHER).map(({ id }) => id);
    const read = objectsOf((await queryShopify(store, REFUNDS, { ids }))['nodes']);
    if (read.length !== ids.length) throw changedWhileRead();
    for (const refund of read) {
      refunds.push({
        refund,
        lines: await wholeList(store, refund, REFUNDED_LINES),
        shippingLines: await wholeList(store, refund, REFUNDED_SHIPPING),
        adjustments: await wholeList(store, refund, ADJUSTMENTS),
        payments: await wholeList(store, refund, PAYMENTS),
      });
    }
  }
  return refunds;
}

/** All entries of a list, whose first page the object has. */
async function wholeList(store: StoreApi, object: Json, list: List): Promise<Json[]> {
  let page = objectOf(object[list.name]);
  const entries = [...objectsOf(page['nodes'])];
  for (let after = nextOf(page); after !== undefined; after = nextOf(page)) {
    const data = await queryShopify(store, restOf(list), { id: object['id'], after });
    page = objectOf(objectOf(data['node'])[list.name]);
    const read = objectsOf(page['nodes']);
    if (read.length === 0) throw changedWhileRead();
    entries.push(...read);
  }
  return entries;
}

function nextOf(page: Json): string | undefined {
  const { hasNextPage, endCursor } = objectOf(page['pageInfo']);
  if (typeof hasNextPage !== 'boolean') {
    throw new StoreError('failed', 'Shopify did not answer with a whole order.');
  }
  return hasNextPage ? (textOf(endCursor) ?? '') : undefined;
}

function changedWhileRead(): StoreError {
  return new StoreError('failed', 'The order was changed in Shopify while it was read.');
}
