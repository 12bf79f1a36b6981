import type { OrderInput } from './order-fields.ts';

/** The stored fields of an order. Its number is a column: an order of a connected store gets it later. */
export type OrderContent = Omit<OrderInput, 'order_id'>;

/**
 * The same order gives the same text, whatever the order of its fields, without personal data. The fields are
 * listed here by name because sorting them for each order costs five times as much.
 */
export function contentOf(
  input: OrderContent,
  customerHash: string | null,
  visitorHash: string | null,
): string {
  return JSON.stringify({
    click_id: input.click_id,
    country: input.country,
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
      category_ids: item.category_ids?.map(canonicalId),
      name: item.name,
      other_ids: item.other_ids?.map(canonicalId),
      product_id: canonicalId(item.product_id),
      quantity: item.quantity,
      subtotal: item.subtotal,
      tag_ids: item.tag_ids?.map(canonicalId),
      total: item.total,
    })),
    number: input.number,
    referral_code: input.referral_code,
    refunds: input.refunds.map((refund) => ({
      amount: refund.amount,
      date: refund.date,
      fees: refund.fees,
      id: canonicalId(refund.id),
      items: refund.items?.map((item) => ({
        product_id: canonicalId(item.product_id),
        quantity: item.quantity,
        total: item.total,
      })),
      shipping: refund.shipping,
      tax: refund.tax,
    })),
    shipping: input.shipping,
    status: input.status,
    subscription: input.subscription && {
      id: canonicalId(input.subscription.id),
      payment: input.subscription.payment,
      renewal: input.subscription.renewal || undefined,
      started_at: input.subscription.started_at,
    },
    subtotal: input.subtotal,
    tax: input.tax,
    total: input.total,
    visitor: visitorHash ?? undefined,
  } satisfies Record<keyof OrderContent, unknown>);
}

/** By id, the names that the store has sent for the products of an order. */
export function productNamesIn({ content }: { content: string }): ReadonlyMap<string, string> {
  const { items } = JSON.parse(content) as OrderContent;
  return new Map(
    items.flatMap(({ product_id, name }) => (name ? [[String(product_id), name]] : [])),
  );
}

/** A string of digits equals the integer: `"1"` and `1` give the same content. */
function canonicalId(id: number | string): number | string {
  if (typeof id === 'number') return id;
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}
