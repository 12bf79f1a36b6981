import Type, { type Static } from 'typebox';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import { Id, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { Currency, fractionOf, roundedTimes, times, type Fraction } from '../../shared/money.ts';
import { foldCode } from '../coupons/index.ts';
import type { OrderFigures } from './commission.ts';
import { instantOf, isInstant } from '../../shared/instants.ts';
import { orderStatuses, type OrderStatus } from './settings.ts';

const Amount = (description: string) => Type.Number({ minimum: 0, default: 0, description });
const Quantity = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** An order as the store sends it. Amounts are of its own currency. */
export const orderFields = {
  date: Type.String({
    maxLength: 40,
    examples: ['2026-03-29T14:30:00'],
    description: "ISO 8601: with an offset or Z an instant, without one the site's local time.",
  }),
  status: StringEnum(orderStatuses),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: "Three letters; the store's when not given.",
    }),
  ),
  external_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The store's own name for the order, shown beside its number.",
    }),
  ),
  exchange_rate: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e9,
      description: "What one unit of the order's currency is worth in the store's.",
    }),
  ),
  subtotal: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'The goods before discount; worked out when not given.',
    }),
  ),
  discount: Amount('The discount on the goods.'),
  shipping: Amount('Shipping.'),
  tax: Amount('Tax.'),
  fees: Amount('Fees.'),
  total: Type.Number({ minimum: 0, description: 'What the customer paid.' }),
  coupon_codes: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: 50,
    default: [],
    description: 'The coupons used in the order.',
  }),
  customer: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.Integer()),
      email: Type.Optional(Type.String({ maxLength: 254 })),
    }),
  ),
  items: Type.Array(
    Type.Object({
      product_id: Type.Integer({ minimum: 0 }),
      category_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 })),
      quantity: Quantity,
      subtotal: Type.Number({ minimum: 0 }),
      total: Type.Number({ minimum: 0 }),
    }),
    { maxItems: 1000, default: [] },
  ),
  refunds: Type.Array(
    Type.Object({
      id: Type.Integer({ minimum: 0 }),
      date: Type.Optional(Type.String({ maxLength: 40 })),
      amount: Type.Number({ minimum: 0 }),
      items: Type.Optional(
        Type.Array(
          Type.Object({
            product_id: Type.Integer({ minimum: 0 }),
            quantity: Quantity,
            total: Type.Number({ minimum: 0 }),
          }),
          { maxItems: 1000 },
        ),
      ),
    }),
    { maxItems: 1000, default: [] },
  ),
  click_id: Type.Optional(Id('The click that led to the order.')),
  date_modified: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'When the store last changed it: an older version than the stored is ignored.',
    }),
  ),
};

const OrderBody = Type.Object(orderFields);
export type OrderInput = Static<typeof OrderBody> & { order_id: number };

/** An order checked and counted in minor units, ready to be stored. */
export interface PreparedOrder {
  orderId: number;
  placedAtMs: number;
  day: string;
  status: OrderStatus;
  currency: string;
  /** As the store sent it; null in the store's own currency. */
  exchangeRate: string | null;
  externalId: string | null;
  modifiedAtMs: number | null;
  codes: string[];
  customerHash: string | null;
  clickId: number | null;
  /** Minor units of the order's own currency. */
  figures: OrderFigures;
  exchange: Fraction;
  /** Minor units of the store's currency. */
  total: number;
  discount: number;
  shipping: number;
  refunded: number;
  content: string;
}

/** Reads an order; every faulty field is named. Nothing is looked up and nothing is written. */
export function prepareOrder(site: Site, input: OrderInput): PreparedOrder {
  const faults: Record<string, string> = {};
  const placedAtMs = readInstant(site, 'date', input.date, faults);
  const modifiedAtMs =
    input.date_modified === undefined
      ? null
      : readInstant(site, 'date_modified', input.date_modified, faults);
  const code = input.currency ?? site.currency.code;
  const currency = code === site.currency.code ? site.currency : new Currency(code);
  if (code !== site.currency.code && input.exchange_rate === undefined) {
    faults['exchange_rate'] =
      `is needed: the order is in ${code}, the store in ${site.currency.code}`;
  }
  const figures = readFigures(input, currency, faults);
  refuseFaults(faults);

  const exchange = exchangeOf(site, currency, input.exchange_rate);
  const refunded = figures.refunds.reduce((sum, refund) => sum + refund.amount, 0);
  const customerHash = hashCustomer(site, input.customer);
  return {
    orderId: input.order_id,
    placedAtMs,
    day: site.calendar.dayOf(placedAtMs),
    status: input.status,
    currency: code,
    exchangeRate: code === site.currency.code ? null : String(input.exchange_rate),
    externalId: input.external_id ?? null,
    modifiedAtMs,
    codes: foldCodes(input.coupon_codes),
    customerHash,
    clickId: input.click_id ?? null,
    figures,
    exchange,
    total: roundedTimes(figures.total, exchange),
    discount: roundedTimes(figures.discount, exchange),
    shipping: roundedTimes(figures.shipping, exchange),
    refunded: roundedTimes(Math.min(refunded, figures.total), exchange),
    content: contentOf(input, customerHash),
  };
}

/** Codes are the same in any case, with spaces around them or not; each counts once. */
export function foldCodes(codes: readonly string[]): string[] {
  return [...new Set(codes.map((code) => foldCode(code.trim())))];
}

function readInstant(
  site: Site,
  name: string,
  text: string,
  faults: Record<string, string>,
): number {
  if (isInstant(text)) return instantOf(text, site.calendar);
  faults[name] = 'must be a date and time like 2026-03-29T14:30:00 or 2026-03-29T12:30:00Z';
  return 0;
}

function readFigures(
  input: OrderInput,
  currency: Currency,
  faults: Record<string, string>,
): OrderFigures {
  const money = (name: string, major: number): number => {
    const minor = currency.toMinor(major);
    if (minor === undefined) {
      faults[name] = `must have at most ${currency.decimals} decimals and not be too large`;
    }
    return minor ?? 0;
  };
  const discount = money('discount', input.discount);
  const shipping = money('shipping', input.shipping);
  const tax = money('tax', input.tax);
  const fees = money('fees', input.fees);
  const total = money('total', input.total);
  const goods = Math.max(0, total - shipping - tax - fees + discount);
  return {
    subtotal: input.subtotal === undefined ? goods : money('subtotal', input.subtotal),
    discount,
    shipping,
    tax,
    fees,
    total,
    items: input.items.map((item, i) => ({
      productId: item.product_id,
      quantity: item.quantity,
      subtotal: money(`items[${i}].subtotal`, item.subtotal),
      total: money(`items[${i}].total`, item.total),
    })),
    refunds: input.refunds.map((refund, i) => ({
      amount: money(`refunds[${i}].amount`, refund.amount),
      items: (refund.items ?? []).map((item, j) => ({
        productId: item.product_id,
        quantity: item.quantity,
        total: money(`refunds[${i}].items[${j}].total`, item.total),
      })),
    })),
  };
}

function refuseFaults(faults: Record<string, string>): void {
  const names = Object.keys(faults);
  if (names.length === 0) return;
  throw new ApiError(generalErrors.invalidParam, {
    message: `Invalid parameter(s): ${names.join(', ')}`,
    data: { params: faults },
  });
}

/** From minor units of one currency to minor units of the other. */
function exchangeOf(site: Site, currency: Currency, rate: number | undefined): Fraction {
  if (currency.code === site.currency.code) return { numerator: 1n, denominator: 1n };
  const shift = BigInt(Math.abs(site.currency.decimals - currency.decimals));
  const units =
    site.currency.decimals >= currency.decimals
      ? { numerator: 10n ** shift, denominator: 1n }
      : { numerator: 1n, denominator: 10n ** shift };
  return times(fractionOf(rate!), units);
}

/** Kept only as a keyed hash: enough to know a customer again, of no use to anyone else. */
export function hashCustomer(site: Site, customer: OrderInput['customer']): string | null {
  const email = customer?.email?.trim().toLowerCase();
  if (email) return site.keyring.hash('customer', `email ${email}`);
  return customer?.id === undefined ? null : site.keyring.hash('customer', `id ${customer.id}`);
}

/**
 * The same order gives the same text, whatever the sequence of its fields; nobody is named in it.
 * Written out, with the names in order: sorting them anew for each order costs five times as much.
 */
function contentOf(input: OrderInput, customerHash: string | null): string {
  return JSON.stringify({
    click_id: input.click_id,
    coupon_codes: input.coupon_codes,
    currency: input.currency,
    customer: customerHash,
    date: input.date,
    date_modified: input.date_modified,
    discount: input.discount,
    exchange_rate: input.exchange_rate,
    external_id: input.external_id,
    fees: input.fees,
    items: input.items.map((item) => ({
      category_ids: item.category_ids,
      product_id: item.product_id,
      quantity: item.quantity,
      subtotal: item.subtotal,
      total: item.total,
    })),
    order_id: input.order_id,
    refunds: input.refunds.map((refund) => ({
      amount: refund.amount,
      date: refund.date,
      id: refund.id,
      items: refund.items?.map((item) => ({
        product_id: item.product_id,
        quantity: item.quantity,
        total: item.total,
      })),
    })),
    shipping: input.shipping,
    status: input.status,
    subtotal: input.subtotal,
    tax: input.tax,
    total: input.total,
  } satisfies Record<keyof OrderInput, unknown>);
}
