import { fc } from './seeded-random.ts';

/** The reference model of `order-histories.test.ts`: it stores the last versions of orders and adds up. */

export const COUPONS = 3;
export const DAYS = ['2026-03-07', '2026-03-08', '2026-03-09'];
const STATUSES = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
] as const;

const LINK_FIELDS = ['click_id', 'visitor', 'referral_code'] as const;

/** A version of an order. Amounts are cents. */
export interface OrderVersion {
  order: number;
  day: number;
  status: (typeof STATUSES)[number];
  goods: number;
  discount: number;
  shipping: number;
  refund: number;
  coupons: number[];
  /** The coupon whose link led to the order, and the field that names the link. */
  link: { by: (typeof LINK_FIELDS)[number]; coupon: number } | null;
  /** The customer is the affiliate who owns the coupons. */
  own: boolean;
  /** Whether it starts a new request, after the versions before it are stored. */
  apart: boolean;
}

export const orderVersion: fc.Arbitrary<OrderVersion> = fc.record({
  order: fc.nat(3),
  day: fc.nat(DAYS.length - 1),
  status: fc.constantFrom(...STATUSES),
  goods: fc.integer({ min: 0, max: 50_000 }),
  discount: fc.nat(3_000),
  shipping: fc.nat(900),
  refund: fc.oneof(fc.constant(0), fc.nat(20_000)),
  coupons: fc.uniqueArray(fc.nat(COUPONS - 1), { maxLength: COUPONS }),
  link: fc.option(fc.record({ by: fc.constantFrom(...LINK_FIELDS), coupon: fc.nat(COUPONS - 1) })),
  own: fc.nat(5).map((n) => n === 0),
  apart: fc.boolean(),
});

export const totalOf = (s: OrderVersion) => Math.max(0, s.goods - s.discount) + s.shipping;
export const refundedOf = (s: OrderVersion) => Math.min(s.refund, totalOf(s));

/** A share of the goods after discount and refund, rounded half away from zero. */
function commissionOf(s: OrderVersion, perMille = 75n): bigint {
  const base = BigInt(Math.max(0, s.goods - s.discount));
  const total = BigInt(totalOf(s));
  if (total === 0n) return 0n;
  const remaining = total - BigInt(refundedOf(s));
  const numerator = base * remaining * perMille;
  const denominator = total * 1000n;
  return (2n * numerator + denominator) / (2n * denominator);
}

interface Credit {
  /** The customer was the coupon's owner when the order was credited. */
  own: boolean;
  /** The order came through a link: the coupon stays on it without being named. */
  byLink: boolean;
}

/** The last version of every order, and how it was credited to coupons. */
export class History {
  readonly last = new Map<number, OrderVersion>();
  /** The coupons that each order is credited to by its version of now, or was ever credited to since it first counted. */
  readonly #credits = new Map<number, Map<number, Credit>>();
  readonly #decided = new Set<number>();

  constructor(versions: readonly OrderVersion[]) {
    for (const s of versions) {
      this.last.set(s.order, s);
      const isEstimate = !this.#decided.has(s.order);
      const known = isEstimate ? undefined : this.#credits.get(s.order);
      const credits = known ?? new Map<number, Credit>();
      this.#credits.set(s.order, credits);
      // A link counts only for an order that no coupon has been credited with.
      const byLink = s.coupons.length === 0 && credits.size === 0 && s.link !== null;
      if (byLink) credits.set(s.link!.coupon, { own: s.own, byLink });
      for (const coupon of s.coupons) {
        if (!credits.has(coupon)) credits.set(coupon, { own: s.own, byLink: false });
      }
      if (isCounted(s)) this.#decided.add(s.order);
    }
  }

  /** The coupons of an order: those used in it, and the one whose link led to it. */
  couponsOf(s: OrderVersion): number[] {
    const credits = this.#credits.get(s.order)!;
    return [...credits.keys()].filter(
      (coupon) => credits.get(coupon)!.byLink || s.coupons.includes(coupon),
    );
  }

  /** The coupons of an order that earn. */
  earning(s: OrderVersion): number[] {
    return this.couponsOf(s).filter((coupon) => !this.#credits.get(s.order)!.get(coupon)!.own);
  }
}

const isCounted = (s: OrderVersion) => s.status === 'completed' || s.status === 'processing';

export function reference(history: History, coupon: number) {
  const sums = {
    orders_count: 0,
    total_sales: 0,
    total_commission: 0,
    unpaid: 0,
    awaiting: 0,
    n: 0,
  };
  for (const s of history.last.values()) {
    if (!history.couponsOf(s).includes(coupon)) continue;
    sums.n += 1;
    const commission = history.earning(s).includes(coupon) ? Number(commissionOf(s)) : 0;
    if (s.status === 'completed') sums.unpaid += commission;
    if (s.status === 'processing') sums.awaiting += commission;
    if (!isCounted(s)) continue;
    sums.orders_count += 1;
    sums.total_sales += totalOf(s) - refundedOf(s);
    sums.total_commission += commission;
  }
  return sums;
}

/** The report of a range: every order with a coupon counts once, with all its commissions. */
export function referenceSummary(history: History, { from, to }: Range): StoreSums {
  const sums = { ...NOTHING };
  for (const s of history.last.values()) {
    const day = DAYS[s.day]!;
    const inRange = (from === undefined || day >= from) && (to === undefined || day <= to);
    if (!inRange || !isCounted(s) || history.couponsOf(s).length === 0) continue;
    sums.orders_count += 1;
    sums.total_sales += totalOf(s) - refundedOf(s);
    sums.total_discount += Math.min(s.discount, s.goods);
    sums.total_shipping += s.shipping;
    sums.total_commission += Number(commissionOf(s)) * history.earning(s).length;
  }
  return sums;
}

/** The earnings of the parent: 5 % of the base of every referral. */
export function referenceAbove(history: History) {
  const sums = { unpaid: 0, awaiting: 0 };
  for (const s of history.last.values()) {
    const share = Number(commissionOf(s, 50n)) * history.earning(s).length;
    if (s.status === 'completed') sums.unpaid += share;
    if (s.status === 'processing') sums.awaiting += share;
  }
  return sums;
}

export interface Range {
  from?: string;
  to?: string;
}

/** All days, each day, some days, and ranges open at either end. */
export const RANGES: Range[] = [
  {},
  { from: DAYS[0]!, to: DAYS[2]! },
  ...DAYS.map((day) => ({ from: day, to: day })),
  { from: DAYS[1]! },
  { to: DAYS[1]! },
];

const NOTHING = {
  orders_count: 0,
  total_sales: 0,
  total_discount: 0,
  total_shipping: 0,
  total_commission: 0,
};
export type StoreSums = typeof NOTHING;
