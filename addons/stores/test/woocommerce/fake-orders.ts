/** Orders of the fake shop, and how the REST API shows them. Amounts are cents. */

export interface FakeLine {
  readonly id: number;
  readonly productId: number;
  quantity: number;
  subtotal: number;
  total: number;
  tax: number;
}

export interface FakeRefund {
  readonly id: number;
  readonly createdMs: number;
  readonly amount: number;
  /** By line of the order. */
  readonly lines: readonly { lineId: number; quantity: number; total: number; tax: number }[];
  readonly shipping: number;
}

export interface FakeOrder {
  readonly id: number;
  readonly createdMs: number;
  modifiedMs: number;
  status: string;
  /** The status that an order in the trash gets back. */
  statusBeforeTrash: string;
  paidMs: number | undefined;
  email: string;
  landing: string | undefined;
  codes: readonly string[];
  lines: FakeLine[];
  shipping: number;
  refunds: FakeRefund[];
  /** Fields of the REST API that differ from those of an ordinary order. */
  fields?: Record<string, unknown>;
}

export const money = (cents: number): string => (cents / 100).toFixed(2);
const gmt = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export const totalOf = ({ lines, shipping }: FakeOrder): number =>
  sum(lines.map((line) => line.total + line.tax)) + shipping;

export const refundedOf = ({ refunds }: FakeOrder): number =>
  sum(refunds.map(({ amount }) => amount));

/** The shop's own time zone is one hour east of UTC. */
export const ZONE_MS = 3_600_000;

export function orderJson(order: FakeOrder): Record<string, unknown> {
  const { id, status, lines, shipping } = order;
  const taxes = sum(lines.map(({ tax }) => tax));
  return {
    id,
    parent_id: 0,
    number: String(id),
    status,
    currency: 'USD',
    prices_include_tax: false,
    date_created: gmt(order.createdMs + ZONE_MS),
    date_created_gmt: gmt(order.createdMs),
    date_modified: gmt(order.modifiedMs + ZONE_MS),
    date_modified_gmt: gmt(order.modifiedMs),
    date_paid_gmt: order.paidMs === undefined ? null : gmt(order.paidMs),
    discount_total: money(sum(lines.map((line) => line.subtotal - line.total))),
    shipping_total: money(shipping),
    total: money(totalOf(order)),
    total_tax: money(taxes),
    customer_id: 0,
    billing: { first_name: 'Gus', last_name: 'Guest', country: 'DE', email: order.email },
    meta_data:
      order.landing === undefined
        ? []
        : [{ id: 1, key: '_wc_order_attribution_session_entry', value: order.landing }],
    line_items: lines.map((line) => ({
      id: line.id,
      name: `Product ${line.productId}`,
      product_id: line.productId,
      variation_id: 0,
      quantity: line.quantity,
      subtotal: money(line.subtotal),
      total: money(line.total),
      total_tax: money(line.tax),
      meta_data: [],
    })),
    shipping_lines: [{ id: id * 100 + 99, total: money(shipping), total_tax: '0.00' }],
    fee_lines: [],
    coupon_lines: order.codes.map((code, i) => ({ id: id * 100 + 90 + i, code, discount: '1' })),
    refunds: order.refunds
      .map((refund) => ({
        id: refund.id,
        reason: '',
        total: `-${money(refund.amount)}`,
        total_tax: `-${money(sum(refund.lines.map(({ tax }) => tax)))}`,
      }))
      .toReversed(),
    ...order.fields,
  };
}

export function refundJson(order: FakeOrder, refund: FakeRefund): Record<string, unknown> {
  return {
    id: refund.id,
    date_created_gmt: gmt(refund.createdMs),
    amount: money(refund.amount),
    line_items: refund.lines.map((line, i) => ({
      id: refund.id * 100 + i,
      product_id: order.lines.find(({ id }) => id === line.lineId)!.productId,
      quantity: -line.quantity,
      total: `-${money(line.total)}`,
      total_tax: `-${money(line.tax)}`,
      meta_data: [{ id: 1, key: '_refunded_item_id', value: String(line.lineId) }],
    })),
    shipping_lines:
      refund.shipping === 0
        ? []
        : [{ id: refund.id * 100 + 99, total: `-${money(refund.shipping)}`, total_tax: '0.00' }],
    fee_lines: [],
  };
}

/** Amounts without decimals, as WooCommerce sends them. */
export function rounded(order: Record<string, unknown>): Record<string, unknown> {
  // The order is JSON.
  return JSON.parse(
    JSON.stringify(order, (_, value: unknown) =>
      typeof value === 'string' && /^-?\d+\.\d\d$/.test(value) ? Number(value).toFixed(0) : value,
    ),
  ) as Record<string, unknown>;
}
