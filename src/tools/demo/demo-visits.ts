import { invoke } from '../../kernel/call/invoke.ts';
import type { Happening } from '../../kernel/declare/demo.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { countLandingPage, storeLandingPages } from '../../modules/clicks/count-landing-pages.ts';
import { recordClicks } from '../../modules/clicks/record-clicks.ts';
import { batchOrders } from '../../modules/orders/batch-orders.ts';
import type { OrderInput } from '../../modules/orders/order-fields.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { SeededRandom } from '../../shared/seeded.ts';
import { sampleInstants, sampleOrder } from '../generate/sample-orders.ts';

/** The number of days that the clicks and orders span. */
export const DAYS = 90;
const ORDERS = 1_500;
const CLICKS = 3_000;
const FIRST_ORDER = 1_001;
const CAMPAIGNS = ['newsletter', 'blog', 'instagram', 'youtube', ''];
/** Where in the newsletter or in the blog a link was. */
const SUBS = ['top', 'middle', 'end'];
/** Links name the creatives of the demo. Before those exist, or without the add-on, they count as none. */
const CREATIVES = 4;
/** Where clicks lead, the first pages most often. */
const PAGES = ['/', '/', '/', '/sale', '/sale', '/candles', '/candles/beeswax', '/gifts'];
/** Where orders are sent, most of them at home. */
const COUNTRIES = 'US US US GB US CA US US DE US AU US FR'.split(' ');
/** People order between a minute and three days after following a link. */
const LINK_MS_MIN = 60_000;
const LINK_MS_MAX = 3 * DAY_MS;
/** Every so many orders may be the first of a monthly subscription. */
const SUBSCRIPTION_EVERY = 40;
const MONTH_MS = 30 * DAY_MS;
/** Refunds follow two days after the order; after that an order does not change. */
const ORDER_DAYS = 2;

interface Click {
  /** Set when it is recorded. */
  id?: number;
  readonly code: string;
  readonly campaign: string;
  readonly visitor: string;
  readonly atMs: number;
}

interface PlacedOrder {
  readonly input: OrderInput;
  readonly atMs: number;
  /** The click that led to it, and the field in which the store reports it. */
  readonly link?: { readonly click: Click; readonly by: 'click_id' | 'visitor' | 'referral_code' };
}

/** The clicks and orders of a demo, sent day by day like those of a store. */
export class DemoVisits {
  readonly clicks: readonly Click[];
  readonly orders: readonly PlacedOrder[];
  readonly #site: Site;
  readonly #todayMs: number;

  constructor(
    site: Site,
    random: SeededRandom,
    { codes, todayMs }: { codes: readonly string[]; todayMs: number },
  ) {
    this.#site = site;
    this.#todayMs = todayMs;
    this.clicks = this.#makeClicks(random, codes);
    this.orders = withRenewals(this.#makeOrders(random, codes));
  }

  happenings(): Happening[] {
    return Array.from({ length: DAYS + 1 }, (_, daysAgo) => ({
      daysAgo,
      happen: async () => {
        await this.#sendClicks(this.clicks.filter(({ atMs }) => this.#ageDays(atMs) === daysAgo));
        await this.#sendOrders(
          this.orders.filter(
            ({ atMs }) => Math.max(0, this.#ageDays(atMs) - ORDER_DAYS) === daysAgo,
          ),
        );
      },
    }));
  }

  #ageDays(atMs: number): number {
    return Math.floor((this.#todayMs - atMs) / DAY_MS);
  }

  #makeClicks(random: SeededRandom, codes: readonly string[]): Click[] {
    const instant = sampleInstants(random, CLICKS, DAYS, this.#todayMs);
    return Array.from({ length: CLICKS }, (_, i) => ({
      code: random.pickPopular(codes),
      campaign: random.pick(CAMPAIGNS),
      visitor: `visitor-${random.between(1, CLICKS)}`,
      atMs: instant(i),
    }));
  }

  #makeOrders(random: SeededRandom, codes: readonly string[]): PlacedOrder[] {
    const instant = sampleInstants(random, ORDERS, DAYS, this.#todayMs);
    return Array.from({ length: ORDERS }, (_, i) => {
      const atMs = instant(i);
      const used = random.happens(0.8) ? [random.pickPopular(codes)] : [];
      const input = sampleOrder(random, this.#site.currency, {
        orderId: FIRST_ORDER + i,
        placedAtMs: atMs,
        nowMs: this.#todayMs,
        codes: used,
      });
      const before = this.clicks.filter(
        (click) => atMs - click.atMs > LINK_MS_MIN && atMs - click.atMs < LINK_MS_MAX,
      );
      // Half of the orders without a coupon came through a link.
      if (used.length > 0 || before.length === 0 || random.happens(0.5)) return { input, atMs };
      const by = random.pick(['click_id', 'visitor', 'referral_code'] as const);
      return { input, atMs, link: { click: random.pick(before), by } };
    });
  }

  async #sendClicks(clicks: Click[]): Promise<void> {
    if (clicks.length === 0) return;
    const { ids } = await invoke(this.#site, recordClicks, {
      clicks: clicks.map(({ code, campaign, visitor, atMs }, i) => ({
        code,
        campaign,
        visitor,
        date: new Date(atMs).toISOString(),
        ...(/^newsletter$|^blog$/.test(campaign) && { sub1: SUBS[i % SUBS.length]! }),
        ...(campaign === '' && { creative: (i % CREATIVES) + 1 }),
      })),
    });
    for (const [i, click] of clicks.entries()) {
      click.id = ids[i]!;
      countLandingPage(this.#site, PAGES[i % PAGES.length]!, click.atMs);
    }
    await storeLandingPages.run(this.#site);
  }

  async #sendOrders(orders: readonly PlacedOrder[]): Promise<void> {
    if (orders.length === 0) return;
    await invoke(this.#site, batchOrders, {
      orders: orders.map(({ input, link }) => ({
        ...input,
        country: COUNTRIES[Number(input.order_id) % COUNTRIES.length]!,
        ...(link && creditOf(link)),
      })),
    });
  }
}

/** Some orders with a coupon begin a subscription, and later ones without a coupon are its payments. */
function withRenewals(orders: readonly PlacedOrder[]): PlacedOrder[] {
  const all = [...orders];
  for (let first = 0; first < all.length; first += SUBSCRIPTION_EVERY) {
    const { input, atMs } = all[first]!;
    if (input.coupon_codes?.length !== 1) continue;
    const { order_id, customer } = input;
    const pay = (i: number, payment: number) => {
      const order = all[i]!;
      const subscription = { id: `box-${order_id}`, payment };
      all[i] = { ...order, input: { ...order.input, ...(customer && { customer }), subscription } };
    };
    pay(first, 1);
    for (const payment of [2, 3]) {
      const dueMs = atMs + (payment - 1) * MONTH_MS;
      const renewal = all.findIndex(
        ({ input: later, link, atMs: at }) =>
          at >= dueMs && !link && !later.coupon_codes?.length && !later.subscription,
      );
      if (renewal !== -1) pay(renewal, payment);
    }
  }
  return all;
}

function creditOf({ click, by }: NonNullable<PlacedOrder['link']>): Partial<OrderInput> {
  if (by === 'click_id') return { click_id: click.id! };
  if (by === 'visitor') return { visitor: click.visitor };
  return { referral_code: click.code };
}
