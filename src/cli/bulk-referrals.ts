import type { Site } from '../kernel/site.ts';
import { computeCommission } from '../modules/orders/commission.ts';
import { figuresOf, storeFiguresOf, type CouponFigures } from '../modules/orders/figures.ts';
import type { ReferralRow } from '../modules/orders/order-store.ts';
import type { ReferralTerms } from '../modules/orders/referral-rates.ts';
import { countedStatuses, delayDays, grantedStatuses } from '../modules/orders/settings.ts';
import type { OrderTemplate } from './order-templates.ts';
import { DAY_MS } from './sample-orders.ts';

/** A coupon that orders are made with. */
export interface BulkCoupon {
  id: number;
  ownerId: number;
  terms: ReferralTerms;
  /** The terms as a referral keeps them. */
  rates: string;
}

/** What the orders of one template are worth to coupons of the same terms. */
export interface ReferralWorth {
  /** A referral but for its order, coupon, owner and day. */
  referral: Omit<ReferralRow, 'order_id' | 'coupon_id' | 'user_id' | 'day'>;
  couponFigures: CouponFigures;
  storeFigures: ReturnType<typeof storeFiguresOf>;
}

/** Computed once a template and terms, by the rules that every order follows. */
export class ReferralWorths {
  readonly #site: Site;
  readonly #nowMs: number;
  readonly #known = new Map<string, Map<OrderTemplate, ReferralWorth>>();

  constructor(site: Site, nowMs: number) {
    this.#site = site;
    this.#nowMs = nowMs;
  }

  of(template: OrderTemplate, coupon: BulkCoupon): ReferralWorth {
    let worths = this.#known.get(coupon.rates);
    if (!worths) this.#known.set(coupon.rates, (worths = new Map()));
    let worth = worths.get(template);
    if (!worth) worths.set(template, (worth = this.#compute(template, coupon)));
    return worth;
  }

  #compute({ prepared }: OrderTemplate, { terms, rates }: BulkCoupon): ReferralWorth {
    const { settings } = this.#site;
    const { status } = prepared;
    const isCounted = settings.get(countedStatuses).includes(status);
    const isGranted = settings.get(grantedStatuses).includes(status);
    const releaseAt = this.#nowMs + settings.get(delayDays) * DAY_MS;
    const isHeld = isGranted && releaseAt > this.#nowMs;
    const state = isGranted && !isHeld ? 'granted' : isCounted || isHeld ? 'awaiting' : 'void';
    const { figures, exchange } = prepared;
    const commission = computeCommission(figures, terms.rates, terms.rules, exchange).amount;
    const referral = {
      via: 'coupon',
      rates,
      status,
      commission,
      state,
      awaiting: state === 'awaiting' ? commission : 0,
      granted: state === 'granted' ? commission : 0,
      release_at: isHeld ? releaseAt : null,
      counted: isCounted ? 1 : 0,
      sales: prepared.total - prepared.refunded,
      discount: prepared.discount,
      shipping: prepared.shipping,
    };
    const row = { ...referral, order_id: 0, coupon_id: 0, user_id: 0, day: '' };
    return { referral, couponFigures: figuresOf(row), storeFigures: storeFiguresOf([row]) };
  }
}
