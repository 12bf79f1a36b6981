import { Currency } from '../../../../src/shared/money.ts';
import {
  attributionIn,
  fieldsIn,
  firstWithCode,
  type LandingAttribution,
} from '../../mapping/landing.ts';
import {
  mergedLines,
  named,
  nameIn,
  shownNumber,
  storableCodes,
  storableCountry,
  storableCustomer,
} from '../../mapping/order-limits.ts';
import {
  MappingError,
  objectOf,
  objectsOf,
  requireCurrency,
  requireText,
  textOf,
  type Json,
} from '../../mapping/payload.ts';
import { subscriptionIn } from '../../mapping/subscription.ts';
import type { MappingContext, StoreOrder } from '../connector.ts';
import { linesOf, sumOf, type ShopifyLine } from './lines.ts';
import { refundsOf, toRefund, type ShopifyRefund } from './refunds.ts';
import { hasMoney, shopMoney } from './shop-money.ts';
import { paymentOf } from './subscription.ts';

/** Maps the body of an `orders/…` webhook, or an order that was read and brought into its form. */
export function toStoreOrder(order: Json, { codeParameters }: MappingContext): StoreOrder {
  const currency = new Currency(requireCurrency(order));
  const figures = figuresOf(order, currency);
  const customer = objectOf(order['customer']);
  const email =
    textOf(order['email']) ?? textOf(order['contact_email']) ?? textOf(customer['email']);
  const money = (minor: number) => currency.toMajor(minor);
  return {
    external_id: requireText(order, 'id'),
    ...shownNumber(order['name'], requireText(order, 'id')),
    date: requireTime(order, textOf(order['processed_at']) ? 'processed_at' : 'created_at'),
    date_modified: requireTime(order, 'updated_at'),
    status: statusOf(order, figures),
    currency: currency.code,
    subtotal: money(figures.subtotal),
    discount: money(figures.discount),
    shipping: money(figures.shipping),
    tax: money(figures.tax),
    fees: money(figures.fees),
    total: money(figures.total),
    coupon_codes: codesOf(order),
    ...storableCustomer(textOf(customer['id']), email, nameIn(objectOf(order['billing_address']))),
    ...storableCountry(
      ...[order['billing_address'], order['shipping_address'], customer['default_address']].map(
        (address) => objectOf(address)['country_code'],
      ),
    ),
    ...subscriptionIn(paymentOf(order)),
    items: figures.lines.map((line) => ({
      product_id: line.productId,
      ...named(line),
      quantity: line.quantity,
      subtotal: money(line.subtotal),
      total: money(line.total),
    })),
    refunds: figures.refunds.map((refund) => toRefund(refund, currency)),
    ...attributionOf(order, codeParameters),
  };
}

interface Figures {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly tax: number;
  readonly fees: number;
  readonly total: number;
  readonly lines: readonly Omit<ShopifyLine, 'id' | 'shown'>[];
  readonly refunds: readonly ShopifyRefund[];
}

function figuresOf(order: Json, currency: Currency): Figures {
  const all = linesOf(order, currency);
  const refunds = refundsOf(order, all, currency);
  const tax = shopMoney(order, 'total_tax', currency);
  const shipping = shippingOf(order, currency);
  const lines = isExplained(order, all, currency) ? mergedLines(all) : undefined;
  const goods = lines
    ? sum(lines.map((line) => line.total))
    : goodsWithoutLines(order, currency, { shipping, tax });
  const subtotal = lines ? sum(lines.map((line) => line.subtotal)) : goods;
  // Lines that an edit added are not in the total of the order as it was placed.
  const total = Math.max(shopMoney(order, 'total_price', currency), goods + shipping + tax);
  return {
    subtotal,
    discount: Math.max(0, subtotal - goods),
    shipping,
    tax,
    // Tips, duties and surcharges.
    fees: total - goods - shipping - tax,
    total,
    lines: lines ?? [],
    refunds: lines ? refunds : refunds.map((refund) => ({ ...refund, lines: [] })),
  };
}

/**
 * Whether the lines, less refunds, add up to what Shopify itself says is left of the goods after edits. A
 * difference of one minor unit per line is rounding.
 */
function isExplained(order: Json, lines: readonly ShopifyLine[], currency: Currency): boolean {
  if (lines.length === 0) return false;
  if (!hasMoney(order, 'current_subtotal_price')) return true;
  const left = sum(lines.map((line) => line.shown)) - takenBack(order, currency);
  const difference = left - shopMoney(order, 'current_subtotal_price', currency);
  return Math.abs(difference) <= lines.length;
}

function takenBack(order: Json, currency: Currency): number {
  return sum(
    objectsOf(order['refunds']).map((refund) =>
      sumOf(refund['refund_line_items'], 'subtotal', currency),
    ),
  );
}

/** The goods where the lines do not say it, without the tax that is in the prices. */
function goodsWithoutLines(
  order: Json,
  currency: Currency,
  { shipping, tax }: Pick<Figures, 'shipping' | 'tax'>,
): number {
  const isInclusive = order['taxes_included'] === true;
  const shown = hasMoney(order, 'current_subtotal_price')
    ? shopMoney(order, 'current_subtotal_price', currency) + takenBack(order, currency)
    : shopMoney(order, 'subtotal_price', currency);
  if (!isInclusive) return shown;
  const most = shopMoney(order, 'total_price', currency) - shipping - tax;
  return Math.max(0, Math.min(shown, most));
}

function shippingOf(order: Json, currency: Currency): number {
  const shippingLines = objectsOf(order['shipping_lines']);
  if (shippingLines.length === 0) return shopMoney(order, 'total_shipping_price', currency);
  const isInclusive = order['taxes_included'] === true;
  return sum(
    shippingLines.map((line) => {
      const name = hasMoney(line, 'discounted_price') ? 'discounted_price' : 'price';
      const tax = isInclusive ? sumOf(line['tax_lines'], 'price', currency) : 0;
      return Math.max(0, shopMoney(line, name, currency) - tax);
    }),
  );
}

/**
 * A paid order is completed when it has been shipped or archived, or needs no shipping. A cancelled one counts no
 * more, whether it was refunded or not.
 */
function statusOf(order: Json, { total, refunds }: Figures): StoreOrder['status'] {
  if (textOf(order['cancelled_at']) !== undefined) return 'cancelled';
  switch (order['financial_status']) {
    case 'refunded':
      return 'refunded';
    case 'voided':
      return 'cancelled';
    case 'expired':
      return 'failed';
    case 'paid':
    case 'partially_refunded': {
      const back = sum(refunds.map((refund) => refund.amount));
      if (total > 0 && back >= total) return 'refunded';
      const isDone =
        order['fulfillment_status'] === 'fulfilled' ||
        textOf(order['closed_at']) !== undefined ||
        objectsOf(order['line_items']).every((line) => line['requires_shipping'] === false);
      return isDone ? 'completed' : 'processing';
    }
    default:
      return 'pending';
  }
}

/** Whether the order says nothing about its payment: then its status is as it was. */
export function lacksStatus(order: Json): boolean {
  return ['cancelled_at', 'financial_status'].every((name) => textOf(order[name]) === undefined);
}

function codesOf(order: Json): string[] {
  return storableCodes([
    ...objectsOf(order['discount_codes']).map((each) => textOf(each['code'])),
    ...objectsOf(order['discount_applications'])
      .filter((each) => each['type'] === 'discount_code')
      .map((each) => textOf(each['code'])),
  ]);
}

/**
 * The attributes of the cart, which the script `/t.js` writes, have the last link within the attribution window. They
 * go before the landing page of the visit, which Shopify records itself.
 */
function attributionOf(order: Json, codeParameters: readonly string[]): LandingAttribution {
  const attributes = objectsOf(order['note_attributes']).map(
    ({ name, value }) => [textOf(name) ?? '', value] as const,
  );
  return firstWithCode([
    fieldsIn(attributes, codeParameters),
    attributionIn(order['landing_site'], codeParameters),
    fieldsIn([['ref', order['landing_site_ref']]], ['ref']),
  ]);
}

/** In UTC, because deliveries have the zone of the shop and GraphQL has not: it is the same order. */
function requireTime(order: Json, name: string): string {
  const ms = Date.parse(requireText(order, name));
  if (Number.isNaN(ms)) throw new MappingError(`The field "${name}" is not a time.`);
  return new Date(ms).toISOString();
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
