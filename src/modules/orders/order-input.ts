import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { domainOf } from '../../shared/email-address.ts';
import { instantError, instantOf, precisionOf } from '../../shared/instants.ts';
import {
  AMOUNT_MAX,
  Currency,
  fractionOf,
  roundedTimes,
  times,
  type Fraction,
} from '../../shared/money.ts';
import { hashVisitor } from '../clicks/index.ts';
import { foldCode } from '../coupons/index.ts';
import type { OrderFigures } from './commission/order-figures.ts';
import { customerIdIn, hashCustomer, hashMailbox } from './customers/hash-customer.ts';
import { contentOf, type OrderContent } from './order-content.ts';
import type { OrderInput } from './order-fields.ts';
import type { OrderStatus } from './settings.ts';

/** An order that was checked, with amounts in minor units, ready to be stored. */
export interface PreparedOrder {
  orderId: number;
  /** The connected store that it comes from. */
  storeId: number | null;
  /** Made from what is stored, without what is not kept of its customer. */
  isStored: boolean;
  placedAtMs: number;
  placedUntilMs: number;
  day: string;
  status: OrderStatus;
  currency: string;
  /** As the store sent it; null in the store's own currency. */
  exchangeRate: string | null;
  externalId: string | null;
  /** As the store shows it. */
  number: string | null;
  modifiedAtMs: number | null;
  codes: string[];
  customerHash: string | null;
  /** The store's id of the customer; null if it names none. It is not stored. */
  customerId: string | null;
  /** Whether the store sent the address of the customer. */
  hasAddress: boolean;
  /** Of the customer's mailbox, by which an affiliate's own order is recognized; it is not stored. */
  mailboxHash: string | null;
  /** Of the customer's address; it is not stored. */
  mailDomain: string | null;
  /** Of the mailbox that the customer's id was seen with before, where own orders are recognized by it. */
  linkedMailboxHash: string | null;
  /** As the store sent it; it is not stored. */
  customerName: string | null;
  clickId: number | null;
  visitorHash: string | null;
  /** As the store sent it. */
  referralCode: string | null;
  country: string | null;
  subscription: PaidSubscription | null;
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

/** The subscription that an order pays for. */
export interface PaidSubscription {
  readonly id: string;
  /** 1 for the first payment; null where the store does not say. */
  readonly payment: number | null;
  /** Whether it is not the first payment, whatever its number. */
  readonly isRenewal: boolean;
  /** The local day on which it began; null where the store does not say. */
  readonly startedOn: string | null;
}

/**
 * Adds the errors that the schema of an order cannot find: times that the site cannot store, and amounts that a
 * currency cannot hold. Fields with another error are absent from the input.
 */
export function checkOrder(order: Partial<OrderInput>, { invalid }: FieldErrors, site: Site): void {
  checkTimes(order, invalid, site);
  // Which amounts are valid depends on the currency.
  if ('currency' in invalid) return;
  const currency = currencyOf(site, order);
  checkAmounts(order, invalid, currency);
  if (currency.code !== site.currency.code) checkExchange(order, invalid, site, currency);
}

type Reasons = FieldErrors['invalid'];

function checkTimes(order: Partial<OrderInput>, invalid: Reasons, { calendar }: Site): void {
  const check = (name: string, text: string | undefined) => {
    const reason = text === undefined ? undefined : instantError(text, calendar);
    if (reason !== undefined) invalid[name] = reason;
  };
  check('date', order.date);
  check('date_modified', order.date_modified);
  check('subscription.started_at', order.subscription?.started_at);
  for (const [i, refund] of (order.refunds ?? []).entries()) {
    check(`refunds[${i}].date`, refund.date);
  }
}

const refundAmounts = ['amount', 'shipping', 'tax', 'fees'] as const;
const amounts = ['subtotal', 'discount', 'shipping', 'tax', 'fees', 'total'] as const;

function checkAmounts(order: Partial<OrderInput>, invalid: Reasons, currency: Currency): void {
  const isInvalid = (major: number | undefined) =>
    major !== undefined && currency.toMinor(major) === undefined;
  const reason = `must have at most ${currency.decimals} decimals and not be too large`;
  for (const name of amounts) if (isInvalid(order[name])) invalid[name] = reason;
  for (const [i, item] of (order.items ?? []).entries()) {
    if (isInvalid(item.subtotal)) invalid[`items[${i}].subtotal`] = reason;
    if (isInvalid(item.total)) invalid[`items[${i}].total`] = reason;
  }
  for (const [i, refund] of (order.refunds ?? []).entries()) {
    for (const name of refundAmounts) {
      if (isInvalid(refund[name])) invalid[`refunds[${i}].${name}`] = reason;
    }
    for (const [j, item] of (refund.items ?? []).entries()) {
      if (isInvalid(item.total)) invalid[`refunds[${i}].items[${j}].total`] = reason;
    }
  }
}

function checkExchange(
  order: Partial<OrderInput>,
  invalid: Reasons,
  site: Site,
  currency: Currency,
): void {
  if ('exchange_rate' in invalid) return;
  if (order.exchange_rate === undefined) {
    invalid['exchange_rate'] =
      `is needed: the order is in ${currency.code}, the store in ${site.currency.code}`;
    return;
  }
  const exchange = exchangeOf(site, currency, order.exchange_rate);
  const given = [
    ...amounts.map((name) => order[name] ?? 0),
    ...(order.items ?? []).flatMap((item) => [item.subtotal, item.total]),
  ];
  const largest = Math.max(...given.map((major) => currency.toMinor(major) ?? 0));
  if (roundedTimes(largest, exchange) > AMOUNT_MAX) {
    invalid['exchange_rate'] = `makes amounts in ${site.currency.code} that are too large`;
  }
}

/** Converts an order that `checkOrder` found valid. It reads nothing. `content`: that of an order that is stored. */
export function prepareOrder(
  site: Site,
  input: OrderInput,
  { storeId = null, content }: { storeId?: number | null; content?: string } = {},
): PreparedOrder {
  const placedAtMs = instantOf(input.date, site.calendar);
  const modifiedAtMs =
    input.date_modified === undefined ? null : instantOf(input.date_modified, site.calendar);
  const code = input.currency ?? site.currency.code;
  const customerHash = hashCustomer(site, input.customer);
  const visitorHash = input.visitor === undefined ? null : hashVisitor(site, input.visitor);
  return {
    orderId: input.order_id,
    storeId,
    isStored: content !== undefined,
    placedAtMs,
    placedUntilMs: placedAtMs + precisionOf(input.date) - 1,
    day: site.calendar.dayOf(placedAtMs),
    status: input.status,
    currency: code,
    exchangeRate: code === site.currency.code ? null : String(input.exchange_rate),
    externalId: input.external_id ?? null,
    number: input.number ?? null,
    modifiedAtMs,
    codes: foldCodes(input.coupon_codes),
    customerHash,
    customerId: customerIdIn(input.customer),
    hasAddress: Boolean(input.customer?.email?.trim()),
    mailboxHash: hashMailbox(site, input.customer, customerHash),
    mailDomain: domainOf(input.customer?.email),
    linkedMailboxHash: null,
    customerName: input.customer?.name ?? null,
    clickId: input.click_id ?? null,
    visitorHash,
    referralCode: input.referral_code ?? null,
    ...readEarning(site, input),
    content: content ?? contentOf(input, customerHash, visitorHash),
  };
}

export function readEarning(site: Site, input: OrderContent) {
  const currency = currencyOf(site, input);
  const figures = readFigures(input, currency);
  const exchange = exchangeOf(site, currency, input.exchange_rate);
  const refunded = figures.refunds.reduce((sum, refund) => sum + refund.amount, 0);
  return {
    country: input.country ?? null,
    subscription: readSubscription(site, input.subscription),
    figures,
    exchange,
    total: roundedTimes(figures.total, exchange),
    discount: roundedTimes(figures.discount, exchange),
    shipping: roundedTimes(figures.shipping, exchange),
    refunded: roundedTimes(Math.min(refunded, figures.total), exchange),
  };
}

function readSubscription(
  { calendar }: Site,
  subscription: OrderInput['subscription'],
): PaidSubscription | null {
  if (!subscription) return null;
  const { id, payment = null, renewal: isRenewal = false, started_at: startedAt } = subscription;
  return {
    id: String(id),
    payment,
    isRenewal,
    startedOn: startedAt === undefined ? null : calendar.dayOf(instantOf(startedAt, calendar)),
  };
}

/** Codes ignore case and surrounding spaces; each counts once. */
export function foldCodes(codes: readonly string[]): string[] {
  const folded = codes.map(foldOrderCode);
  return folded.length > 1 ? [...new Set(folded)] : folded;
}

export function foldOrderCode(code: string): string {
  return foldCode(code.trim());
}

/** The currency of an order's own amounts. */
function currencyOf(site: Site, { currency }: { currency?: string }): Currency {
  const isOwn = currency === undefined || currency === site.currency.code;
  return isOwn ? site.currency : new Currency(currency);
}

const NONE: readonly string[] = [];
const SAME_CURRENCY: Fraction = { numerator: 1n, denominator: 1n };

function readFigures(input: OrderContent, currency: Currency): OrderFigures {
  const money = (major: number) => currency.toMinor(major)!;
  const discount = money(input.discount);
  const shipping = money(input.shipping);
  const tax = money(input.tax);
  const fees = money(input.fees);
  const total = money(input.total);
  const goods = Math.max(0, total - shipping - tax - fees + discount);
  return {
    subtotal: input.subtotal === undefined ? goods : money(input.subtotal),
    discount,
    shipping,
    tax,
    fees,
    total,
    items: input.items.map((item) => ({
      productId: String(item.product_id),
      otherIds: item.other_ids ?? NONE,
      categories: item.category_ids ?? NONE,
      tags: item.tag_ids ?? NONE,
      quantity: item.quantity,
      subtotal: money(item.subtotal),
      total: money(item.total),
    })),
    refunds: input.refunds.map((refund) => ({
      amount: money(refund.amount),
      shipping: money(refund.shipping ?? 0),
      tax: money(refund.tax ?? 0),
      fees: money(refund.fees ?? 0),
      items: (refund.items ?? []).map((item) => ({
        productId: String(item.product_id),
        quantity: item.quantity,
        total: money(item.total),
      })),
    })),
  };
}

/** Converts minor units of the order's currency to minor units of the store's. */
function exchangeOf(site: Site, currency: Currency, rate: number | undefined): Fraction {
  if (currency.code === site.currency.code) return SAME_CURRENCY;
  const shift = BigInt(Math.abs(site.currency.decimals - currency.decimals));
  const units =
    site.currency.decimals >= currency.decimals
      ? { numerator: 10n ** shift, denominator: 1n }
      : { numerator: 1n, denominator: 10n ** shift };
  return times(fractionOf(rate!), units);
}
