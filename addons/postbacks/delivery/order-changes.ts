import type { OrderChangeName } from '../tables.ts';

/** An event of the feed; its data as stored. */
export interface FeedEvent {
  id: number;
  event: string;
  data: string;
  created_at: number;
}

/** Something that happened to an order of an affiliate. Amounts are major units. */
export interface OrderChange {
  readonly eventId: number;
  readonly name: OrderChangeName;
  readonly userId: number;
  readonly orderId: number;
  readonly couponId: number;
  readonly amount: number;
  readonly commission: number;
  readonly currency: string;
  readonly occurredAtMs: number;
}

/** The part of the data of `referral.…` and `commission.added` that is read here. */
interface OrderData {
  order_id: number | null;
  coupon_id: number;
  user_id: number;
  total: number;
  commission: number;
  currency: string;
  /** Of `commission.added`: what became payable. */
  amount: number;
}

const names: Record<string, OrderChangeName> = {
  'referral.created': 'created',
  'referral.updated': 'changed',
  'referral.reversed': 'reversed',
};

const GRANTED = 'commission.added';

/**
 * What happened to orders by the events after a position. An order that is settled emits `commission.added` right
 * before the event of the referral: where all of its commission became payable, the order was granted. The
 * events up to the position are only looked at for that.
 */
export function orderChangesIn(events: readonly FeedEvent[], after: number): OrderChange[] {
  const changes: OrderChange[] = [];
  const granted = new Map<string, number>();
  for (const event of events) {
    const name = names[event.event];
    if (name === undefined && event.event !== GRANTED) continue;
    // Events are stored with the data that their definition declares.
    const data = JSON.parse(event.data) as OrderData;
    if (data.order_id === null) continue;
    const key = `${data.order_id} ${data.coupon_id} ${event.created_at}`;
    if (name === undefined) {
      granted.set(key, data.amount);
      continue;
    }
    const isGranted = granted.get(key) === data.commission;
    granted.delete(key);
    if (event.id <= after) continue;
    const change = {
      eventId: event.id,
      userId: data.user_id,
      orderId: data.order_id,
      couponId: data.coupon_id,
      amount: data.total,
      commission: data.commission,
      currency: data.currency,
      occurredAtMs: event.created_at,
    };
    if (name !== 'changed' || !isGranted) changes.push({ ...change, name });
    if (name !== 'reversed' && isGranted) changes.push({ ...change, name: 'granted' });
  }
  return changes;
}
