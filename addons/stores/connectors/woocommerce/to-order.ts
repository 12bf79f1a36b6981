import { Currency } from '../../../../src/shared/money.ts';
import { lessDiscount } from '../../mapping/amounts.ts';
import {
  nameIn,
  shownNumber,
  storableCountry,
  storableCustomer,
  storableName,
} from '../../mapping/order-limits.ts';
import {
  ignored,
  isObject,
  mappedOrFailed,
  MappingError,
  objectOf,
  textOf,
  type Json,
} from '../../mapping/payload.ts';
import { subscriptionIn } from '../../mapping/subscription.ts';
import type { Mapped, MappedOrder, MappingContext, StoreOrder } from '../connector.ts';
import { attributionOf } from './attribution.ts';
import { notedRate } from './noted-rate.ts';
import { isDraft, isPartPayment, statusOf } from './order-status.ts';
import {
  amountIn,
  decoded,
  hidesDecimals,
  idIn,
  instantIn,
  listIn,
  QUANTITY_MAX,
  quantityOf,
} from './payload.ts';
import { hasLines, refundsOf } from './refunds.ts';
import { firstOrderOf, hidesSubscription, lacksSubscription, renewalOf } from './subscription.ts';

const CODE_LENGTH_MAX = 50;
const CODES_MAX = 50;

/** The codes used in an order. One that is too long for a code of an affiliate is left out. */
function codesOf(order: Json): string[] {
  const codes = listIn(order, 'coupon_lines').flatMap(({ code }) =>
    typeof code === 'string' ? [decoded(code).trim()] : [],
  );
  const usable = codes.filter((code) => code !== '' && code.length <= CODE_LENGTH_MAX);
  return [...new Set(usable)].slice(0, CODES_MAX);
}

const ITEMS_MAX = 1000;

/** Maps a webhook body, or an order of the REST API, of any version since 3. */
export function toOrder(payload: unknown, context: MappingContext, topic: string): Mapped {
  const [resource = ''] = topic.split('.');
  if (topic.includes('.') && resource !== 'order') {
    // WooCommerce sends coupon.deleted for products, pages and, with the older storage, orders, too.
    return ignored(`Deliveries about a ${resource} change no order.`);
  }
  return mappedOrFailed(() => mapOrder(payload, context, topic));
}

function mapOrder(order: unknown, context: MappingContext, topic: string): Mapped {
  if (!isObject(order)) throw new MappingError('The delivery is not a JSON object.');
  const externalId = idIn(order);
  if (externalId === undefined) return withoutId(order);
  const canAsk = context.canAsk && !context.isComplete;
  const { status } = order;
  // `order.deleted` has only the id. The order may have been restored since.
  if (status === undefined && topic === 'order.deleted' && !context.isComplete) {
    const reason = 'The shop has deleted the order.';
    return { result: canAsk ? 'ask' : 'gone', externalId, reason };
  }
  if (typeof status !== 'string') throw new MappingError('The order has no status.');
  if (isDraft(status)) {
    return ignored(`The order is a draft (${status}), not placed yet.`);
  }
  if (isPartPayment(status, context.settings['statuses'])) {
    throw new MappingError(
      `The shop has the status "${status}", which plugins for deposits use: say what it means in Settings, Stores, ` +
        'Statuses of WooCommerce, then retry.',
    );
  }
  if (canAsk && hidesDecimals(order)) {
    const reason = 'The shop shows no decimals: its amounts are rounded.';
    return { result: 'ask', externalId, reason };
  }
  if (canAsk && !listIn(order, 'refunds').every(hasLines)) {
    const reason = 'The delivery does not say which products were refunded.';
    return { result: 'ask', externalId, reason };
  }
  if (canAsk && lacksSubscription(order)) {
    const reason = 'The delivery does not say when the subscription began.';
    return { result: 'ask', externalId, reason };
  }
  const read = readOrder(order, externalId, status, context);
  return { result: 'order', order: read, ...firstOrderOf(order), ...notShownOf(order, context) };
}

function notShownOf(
  order: Json,
  { canAsk, isComplete }: MappingContext,
): Pick<MappedOrder, 'notShown'> {
  const notShown = [
    ...((canAsk || isComplete) && hidesSubscription(order) ? (['subscription'] as const) : []),
    ...(listIn(order, 'refunds').every(hasLines) ? [] : (['refunds'] as const)),
  ];
  return notShown.length === 0 ? {} : { notShown };
}

/** A signed delivery can hold an error in place of the order, if the order was deleted before it was sent. */
function withoutId(order: Json): Mapped {
  const { code, data } = order;
  if (typeof code !== 'string' || !isObject(data)) {
    throw new MappingError('The delivery has no order id.');
  }
  return ignored(
    `The shop sent an error instead of an order (${code.slice(0, 100)}): it was deleted before it was sent.`,
  );
}

function readOrder(
  order: Json,
  externalId: string,
  status: string,
  context: MappingContext,
): StoreOrder {
  const currency = currencyOf(order);
  const money = (fields: Json, name: string) => amountIn(fields, name, currency);
  const placed = instantIn(order, 'date_created_gmt');
  if (placed === undefined) throw new MappingError('The order has no date_created_gmt.');

  const feeLines = listIn(order, 'fee_lines').map((fee) => money(fee, 'total'));
  const fees = feeLines.reduce((sum, fee) => sum + Math.max(0, fee), 0);
  // Fees below zero are discounts of plugins, which no line contains.
  const rebate = feeLines.reduce((sum, fee) => sum + Math.max(0, -fee), 0);
  const items = lessRebate(
    listIn(order, 'line_items').map((line) => itemOf(line, money)),
    rebate,
  );
  // The total of the store, because the sum of the coupon lines differs with prices that include tax and after edits.
  const discount = Math.max(0, money(order, 'discount_total')) + rebate;
  const major = (minor: number) => currency.toMajor(Math.max(0, minor));
  const exchange_rate = notedRate(order, currency.code, context.currency);
  return {
    external_id: externalId,
    ...shownNumber(order['number'], externalId),
    date: placed,
    date_modified: instantIn(order, 'date_modified_gmt') ?? placed,
    status: statusOf(order, status, context.settings['statuses']),
    currency: currency.code,
    ...(exchange_rate !== undefined && { exchange_rate }),
    subtotal: major(items.reduce((sum, item) => sum + Math.max(0, item.subtotal), 0)),
    discount: major(discount),
    shipping: major(money(order, 'shipping_total')),
    tax: major(money(order, 'total_tax')),
    fees: major(fees),
    total: major(money(order, 'total')),
    coupon_codes: codesOf(order),
    ...customerIn(objectOf(order['billing'])),
    ...storableCountry(
      objectOf(order['billing'])['country'],
      objectOf(order['shipping'])['country'],
    ),
    ...subscriptionIn(renewalOf(order)),
    items: fewEnough(items).map((item) => ({
      ...item,
      subtotal: major(item.subtotal),
      total: major(item.total),
    })),
    refunds: refundsOf(order, currency),
    ...attributionOf(order, context),
  };
}

function currencyOf({ currency }: Json): Currency {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new MappingError('The order has no currency.');
  }
  return new Currency(currency);
}

interface Item {
  product_id: string;
  name?: string;
  quantity: number;
  subtotal: number;
  total: number;
}

/** A variation counts as its product, so that rates of products apply to all of its variations. */
function itemOf(line: Json, money: (fields: Json, name: string) => number): Item {
  return {
    product_id: idIn(line, 'product_id') ?? '0',
    ...storableName(line['name']),
    quantity: quantityOf(line),
    subtotal: money(line, 'subtotal'),
    total: money(line, 'total'),
  };
}

/** Items less a rebate on the order, in proportion. */
function lessRebate(items: readonly Item[], rebate: number): Item[] {
  const totals = lessDiscount(
    items.map(({ total }) => total),
    rebate,
  );
  return items.map((item, i) => ({ ...item, total: totals[i]! }));
}

/** An order with very many lines has the lines of the same product merged, which changes no commission. */
function fewEnough(items: Item[]): Item[] {
  if (items.length <= ITEMS_MAX) return items;
  const merged = new Map<string, Item>();
  for (const item of items) {
    const same = merged.get(item.product_id);
    merged.set(item.product_id, {
      product_id: item.product_id,
      ...(item.name !== undefined && { name: item.name }),
      quantity: Math.min(item.quantity + (same?.quantity ?? 0), QUANTITY_MAX),
      subtotal: item.subtotal + (same?.subtotal ?? 0),
      total: item.total + (same?.total ?? 0),
    });
  }
  if (merged.size > ITEMS_MAX) {
    throw new MappingError(
      `The order has ${merged.size} different products; at most ${ITEMS_MAX} are possible.`,
    );
  }
  return [...merged.values()];
}

/** The address, which is stored as a keyed hash, and the name, which is not stored; nothing else of a customer is needed. */
function customerIn(billing: Json): Pick<StoreOrder, 'customer'> {
  return storableCustomer(undefined, textOf(billing['email']), nameIn(billing));
}
