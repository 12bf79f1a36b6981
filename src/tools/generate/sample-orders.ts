import type { OrderInput } from '../../modules/orders/order-fields.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { Currency } from '../../shared/money.ts';
import type { SeededRandom } from '../../shared/seeded.ts';

const FREE_SHIPPING_FROM = 6_000;
const SHIPPING = 495;
export const CUSTOMERS = 5_000;

/** A store that sells candles: prices in hundredths. */
const PRODUCTS = [
  { id: 101, name: 'Tea light set', category: 'candles', price: 1_290 },
  { id: 102, name: 'Pillar candle', category: 'candles', price: 1_850 },
  { id: 103, name: 'Beeswax candle', category: 'candles', price: 2_400 },
  { id: 104, name: 'Cedar candle', category: 'scented-candles', price: 3_200 },
  { id: 105, name: 'Orange blossom candle', category: 'scented-candles', price: 4_550 },
  { id: 106, name: 'Wick trimmer', category: 'accessories', price: 790 },
  { id: 107, name: 'Brass holder', category: 'accessories', price: 1_150 },
  { id: 108, name: 'Evening gift set', category: 'gift-sets', price: 6_900 },
  { id: 109, name: 'Winter gift set', category: 'gift-sets', price: 8_950 },
];

export interface SampleFacts {
  orderId: number;
  placedAtMs: number;
  nowMs: number;
  codes: string[];
}

/** A realistic order. It depends only on the random numbers and its age in days. */
export function sampleOrder(
  random: SeededRandom,
  currency: Currency,
  facts: SampleFacts,
): OrderInput {
  const money = (hundredths: number) =>
    currency.toMajor(Math.round((hundredths * 10 ** currency.decimals) / 100));
  const lines = Array.from({ length: random.between(1, 3) }, () => {
    const product = random.pickPopular(PRODUCTS);
    const quantity = random.happens(0.8) ? 1 : random.between(2, 4);
    const full = product.price * quantity;
    // Whole units are valid amounts in every currency.
    const off = facts.codes.length > 0 ? Math.floor(full / 1_000) * 100 : 0;
    return { product, quantity, full, off };
  });
  const subtotal = sum(lines.map((line) => line.full));
  const discount = sum(lines.map((line) => line.off));
  const shipping = subtotal - discount >= FREE_SHIPPING_FROM ? 0 : SHIPPING;
  const tax = Math.round((subtotal - discount) / 1_000) * 80;
  // Sums the rounded parts, because the total must match them in a currency without decimals.
  const parts = [subtotal, shipping, tax, -discount].map(money);
  const total = rounded(sum(parts), currency);
  const status = statusAt(random, (facts.nowMs - facts.placedAtMs) / DAY_MS);
  const partly = status === 'completed' && random.happens(0.05);
  const refunded = status === 'refunded' ? total : partly ? money(lines[0]!.full / 2) : 0;
  return {
    order_id: facts.orderId,
    date: isoOf(facts.placedAtMs),
    status,
    currency: currency.code,
    subtotal: money(subtotal),
    discount: money(discount),
    shipping: money(shipping),
    tax: money(tax),
    fees: 0,
    total,
    coupon_codes: facts.codes,
    customer: sampleCustomer(random.between(1, CUSTOMERS)),
    items: lines.map(({ product, quantity, full, off }) => ({
      product_id: product.id,
      name: product.name,
      category_ids: [product.category],
      quantity,
      subtotal: money(full),
      total: money(full - off),
    })),
    refunds:
      refunded === 0
        ? []
        : [{ id: facts.orderId, date: refundDate(facts), amount: Math.min(refunded, total) }],
  };
}

/** The customer with a number from 1 to `CUSTOMERS`. */
export function sampleCustomer(number: number): { email: string } {
  return { email: `customer-${number}@shoppers.example` };
}

/** `count` instants in order, denser towards the end, which is now. */
export function sampleInstants(random: SeededRandom, count: number, days: number, nowMs: number) {
  return (index: number): number => {
    const share = (index + random.fraction()) / count;
    return Math.round(nowMs - days * DAY_MS * (1 - share ** 0.85));
  };
}

function statusAt(random: SeededRandom, ageDays: number): OrderInput['status'] {
  const luck = random.fraction();
  if (ageDays < 3) {
    if (luck < 0.15) return 'pending';
    if (luck < 0.2) return 'on-hold';
    return luck < 0.75 ? 'processing' : 'completed';
  }
  if (luck < 0.05) return 'cancelled';
  if (luck < 0.09) return 'refunded';
  if (luck < 0.11) return 'failed';
  return luck < 0.14 ? 'processing' : 'completed';
}

export function refundDate({ placedAtMs, nowMs }: Pick<SampleFacts, 'placedAtMs' | 'nowMs'>) {
  return isoOf(Math.min(nowMs, placedAtMs + 2 * DAY_MS));
}

export function isoOf(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 19)}Z`;
}

function rounded(amount: number, currency: Currency): number {
  return Number(amount.toFixed(currency.decimals));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
