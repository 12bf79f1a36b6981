import type { Transaction } from '../db/database.ts';
import type { EventDefinition } from '../kernel/event.ts';
import type { Site } from '../kernel/site.ts';
import { commissionAdded } from '../modules/ledger/commission-events.ts';
import { referralCreated } from '../modules/orders/order-events.ts';
import type { BulkCoupon, ReferralWorth } from './bulk-referrals.ts';
import {
  addSums,
  couponFigureNames,
  findBalances,
  findLastOrdinal,
  insertRows,
  storeFigureNames,
  type Balances,
  type BulkRows,
} from './bulk-store.ts';
import type { OrderTemplate, OwnFacts } from './order-templates.ts';

const ACTOR = 0;

type Sums = Record<string, number>;

/** The rows of one transaction, and the sums they add to. */
export class BulkBatch {
  readonly #site: Site;
  readonly #nowMs: number;
  readonly #ordinals: Ordinals;
  readonly #rows: BulkRows = { orders: [], referrals: [], journal: [], events: [] };
  readonly #balances = new Map<number, Balances>();
  readonly #coupons = new Map<number, Sums>();
  readonly #couponDays = new Map<string, { coupon_id: number; day: string; figures: Sums }>();
  readonly #storeDays = new Map<string, Sums>();

  static async begin(tx: Transaction, site: Site, nowMs: number): Promise<BulkBatch> {
    const ordinals = await Ordinals.read(tx, [commissionAdded, referralCreated]);
    return new BulkBatch(site, nowMs, ordinals);
  }

  private constructor(site: Site, nowMs: number, ordinals: Ordinals) {
    this.#site = site;
    this.#nowMs = nowMs;
    this.#ordinals = ordinals;
  }

  addOrder(template: OrderTemplate, own: OwnFacts, day: string): void {
    const { prepared } = template;
    this.#rows.orders.push({
      order_id: own.orderId,
      placed_at: own.placedAtMs,
      day,
      status: prepared.status,
      currency: prepared.currency,
      total: prepared.total,
      discount: prepared.discount,
      shipping: prepared.shipping,
      refunded: prepared.refunded,
      modified_at: null,
      customer_hash: own.customerHash,
      content: template.contentOf(own),
      created_at: this.#nowMs,
      updated_at: this.#nowMs,
    });
  }

  knows(coupon: BulkCoupon): boolean {
    return this.#balances.has(coupon.id);
  }

  /** Balances and sums go on from where the coupon stands. */
  async readBalances(tx: Transaction, coupon: BulkCoupon): Promise<void> {
    this.#balances.set(coupon.id, await findBalances(tx, coupon.id));
    this.#coupons.set(coupon.id, zeros([...couponFigureNames, 'unpaid', 'awaiting']));
  }

  addReferral(
    orderId: number,
    day: string,
    coupon: BulkCoupon,
    { referral, couponFigures, storeFigures }: ReferralWorth,
  ): void {
    this.#rows.referrals.push({
      order_id: orderId,
      coupon_id: coupon.id,
      user_id: coupon.ownerId,
      day,
      ...referral,
    });
    this.#post(orderId, coupon, this.#balances.get(coupon.id)!, referral);
    this.#tell(orderId, coupon, referral);

    const sums = this.#coupons.get(coupon.id)!;
    addTo(sums, couponFigures, couponFigureNames);
    sums['unpaid']! += referral.granted;
    sums['awaiting']! += referral.awaiting;
    const key = `${coupon.id} ${day}`;
    let ofDay = this.#couponDays.get(key);
    if (!ofDay) {
      ofDay = { coupon_id: coupon.id, day, figures: zeros(couponFigureNames) };
      this.#couponDays.set(key, ofDay);
    }
    addTo(ofDay.figures, couponFigures, couponFigureNames);
    if (referral.counted === 0) return;
    let ofStore = this.#storeDays.get(day);
    if (!ofStore) this.#storeDays.set(day, (ofStore = zeros(storeFigureNames)));
    addTo(ofStore, storeFigures, storeFigureNames);
  }

  async write(tx: Transaction): Promise<void> {
    await insertRows(tx, this.#rows);
    await addSums(tx, {
      coupons: this.#coupons,
      couponDays: this.#couponDays.values(),
      storeDays: this.#storeDays,
    });
  }

  #post(
    orderId: number,
    coupon: BulkCoupon,
    balances: Balances,
    { awaiting, granted, status }: ReferralWorth['referral'],
  ): void {
    const amount = awaiting + granted;
    if (amount === 0) return;
    balances.awaiting += awaiting;
    balances.unpaid += granted;
    this.#rows.journal.push({
      coupon_id: coupon.id,
      from_pool: 'earned',
      to_pool: granted > 0 ? 'unpaid' : 'awaiting',
      amount,
      kind: 'order',
      order_id: orderId,
      user_id: ACTOR,
      note: noteOf(orderId, status),
      created_at: this.#nowMs,
      unpaid_after: balances.unpaid,
      awaiting_after: balances.awaiting,
      pending_payout_after: balances.pending_payout,
      paid_after: balances.paid,
    });
  }

  /** In the words that orders over the API are told in. */
  #tell(
    orderId: number,
    coupon: BulkCoupon,
    { granted, commission, sales, status }: ReferralWorth['referral'],
  ): void {
    const { currency } = this.#site;
    if (granted > 0) {
      const amount = currency.toMajor(granted);
      const info = `Commission of ${amount} ${currency.code} added to coupon ${coupon.id}.`;
      this.#addEvent(commissionAdded, coupon.id, info, {
        coupon_id: coupon.id,
        user_id: coupon.ownerId,
        order_id: orderId,
        amount,
        note: noteOf(orderId, status),
      });
    }
    const amount = currency.toMajor(commission);
    const info = `Order ${orderId} (${status}): commission ${amount} ${currency.code} for coupon ${coupon.id}.`;
    this.#addEvent(referralCreated, orderId, info, {
      order_id: orderId,
      coupon_id: coupon.id,
      user_id: coupon.ownerId,
      total: currency.toMajor(sales),
      commission: amount,
      status,
    });
  }

  #addEvent(event: EventDefinition, objectId: number, info: string, data: object): void {
    this.#rows.events.push({
      kind: event.kind,
      event: event.name,
      object_id: objectId,
      user_id: ACTOR,
      info,
      data: JSON.stringify(data),
      created_at: this.#nowMs,
      ...this.#ordinals.next(event),
    });
  }
}

function noteOf(orderId: number, status: string): string {
  return `Order ${orderId}: ${status}`;
}

/** The how-manieth of its kind, of its name and of its user each event is. */
class Ordinals {
  readonly #kinds = new Map<string, number>();
  readonly #events = new Map<string, number>();
  #user = 0;

  static async read(tx: Transaction, events: readonly EventDefinition[]): Promise<Ordinals> {
    const ordinals = new Ordinals();
    for (const { kind, name } of events) {
      ordinals.#kinds.set(kind, await findLastOrdinal(tx, 'kind', kind));
      ordinals.#events.set(name, await findLastOrdinal(tx, 'event', name));
    }
    ordinals.#user = await findLastOrdinal(tx, 'user_id', ACTOR);
    return ordinals;
  }

  next({ kind, name }: EventDefinition) {
    const ofKind = this.#kinds.get(kind)! + 1;
    const ofName = this.#events.get(name)! + 1;
    this.#kinds.set(kind, ofKind);
    this.#events.set(name, ofName);
    return { kind_ordinal: ofKind, event_ordinal: ofName, user_ordinal: ++this.#user };
  }
}

function zeros(names: readonly string[]): Sums {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

function addTo(sums: Sums, more: Sums, names: readonly string[]): void {
  for (const name of names) sums[name]! += more[name]!;
}
