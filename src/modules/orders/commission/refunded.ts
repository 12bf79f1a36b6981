import type { Fraction } from '../../../shared/money.ts';
import type { Line, OrderFigures } from './order-figures.ts';

const ZERO: Fraction = { numerator: 0n, denominator: 1n };
const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** The parts of an order besides the goods. */
export const NAMED_PARTS = ['shipping', 'tax', 'fees'] as const;
type NamedPart = (typeof NAMED_PARTS)[number];

export interface Refunded {
  readonly total: number;
  /** The refunded quantity and amount of each product of the order. */
  readonly lines: ReadonlyMap<string, { quantity: number; total: number }>;
  /** The refunded amounts of the parts besides the goods. */
  readonly parts: Readonly<Record<NamedPart, number>>;
  /** The share of the order that is left after refunds without lines. */
  readonly kept: Fraction;
}

const NOTHING: Refunded = {
  total: 0,
  lines: new Map(),
  parts: { shipping: 0, tax: 0, fees: 0 },
  kept: ONE,
};

/** Adds up the refunds of an order. */
export function refundedOf(order: OrderFigures): Refunded {
  if (order.refunds.length === 0) return NOTHING;
  const costs = new Map(order.items.map((line) => [line.productId, line.total]));
  const lines = new Map<string, { quantity: number; total: number }>();
  const parts: Record<NamedPart, number> = { shipping: 0, tax: 0, fees: 0 };
  let total = 0;
  let named = 0;
  for (const refund of order.refunds) {
    let taken = 0;
    for (const { productId, quantity, total: asked } of refund.items) {
      const cost = costs.get(productId);
      if (cost === undefined) continue;
      const before = lines.get(productId) ?? { quantity: 0, total: 0 };
      lines.set(productId, {
        quantity: before.quantity + quantity,
        total: before.total + asked,
      });
      taken += Math.min(asked, Math.max(0, cost - before.total));
    }
    for (const part of NAMED_PARTS) {
      const back = Math.min(refund[part], order[part] - parts[part]);
      parts[part] += back;
      taken += back;
    }
    total += refund.amount;
    // What it does not name reduces everything in proportion; it cannot name more than its amount.
    named += Math.min(taken, refund.amount);
  }
  const left = order.total - named;
  const kept =
    left <= 0
      ? ONE
      : { numerator: BigInt(Math.max(0, order.total - total)), denominator: BigInt(left) };
  return { total, lines, parts, kept };
}

/** The share of a line that is left after the refunds that name it. */
export function keptOfLine(line: Line, refunded: Refunded): Fraction {
  const back = refunded.lines.get(line.productId)?.total ?? 0;
  if (back <= 0) return ONE;
  if (back >= line.total) return ZERO;
  return { numerator: BigInt(line.total - back), denominator: BigInt(line.total) };
}
