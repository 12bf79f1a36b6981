import type { Site } from '../../kernel/declare/site.ts';
import { prepareOrder, type PreparedOrder } from '../../modules/orders/order-input.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { SeededRandom } from '../../shared/seeded.ts';
import { isoOf, refundDate, sampleOrder } from './sample-orders.ts';

const TEMPLATES_EACH = 300;
/** `sampleOrder` does not complete younger orders. */
const RECENT_DAYS = 3;
const TEMPLATE_CODE = 'TEMPLATE-CODE';

/** The fields that differ per order; the template has the rest. */
export interface OwnFacts {
  placedAtMs: number;
  nowMs: number;
  code: string | undefined;
  customerHash: string;
}

/**
 * A prepared order that many orders are copied from; they differ in number, date, coupon and customer.
 * Preparing each of millions would take twenty times as long.
 */
export class OrderTemplate {
  readonly prepared: PreparedOrder;
  /** The content split at the fields that differ: text and field names alternate. */
  readonly #pieces: string[];

  constructor(prepared: PreparedOrder, marks: Record<keyof typeof facts, string>) {
    this.prepared = prepared;
    const names = new Map(Object.entries(marks).map(([name, mark]) => [mark, name]));
    const cut = new RegExp(`(${[...names.keys()].map(RegExp.escape).join('|')})`);
    this.#pieces = prepared.content
      .split(cut)
      .map((piece, i) => (i % 2 === 1 ? names.get(piece)! : piece));
  }

  contentOf(own: OwnFacts): string {
    let content = this.#pieces[0]!;
    for (let i = 1; i < this.#pieces.length; i += 2) {
      content += facts[this.#pieces[i] as keyof typeof facts](own) + this.#pieces[i + 1]!;
    }
    return content;
  }
}

const facts = {
  placed: (own: OwnFacts) => `"${isoOf(own.placedAtMs)}"`,
  refunded: (own: OwnFacts) => `"${refundDate(own)}"`,
  code: (own: OwnFacts) => JSON.stringify(own.code),
  customer: (own: OwnFacts) => `"${own.customerHash}"`,
};

/** Templates of recent and of older orders, with and without a coupon. */
export class OrderTemplates {
  readonly #random: SeededRandom;
  readonly #pools = new Map<string, OrderTemplate[]>();

  constructor(site: Site, random: SeededRandom, nowMs: number) {
    this.#random = random;
    for (const ageDays of [1, 10]) {
      for (const withCode of [true, false]) {
        const pool = Array.from({ length: TEMPLATES_EACH }, () =>
          makeTemplate(site, random, nowMs, ageDays, withCode),
        );
        this.#pools.set(poolName(ageDays, withCode), pool);
      }
    }
  }

  pick(ageDays: number, withCode: boolean): OrderTemplate {
    return this.#random.pick(this.#pools.get(poolName(ageDays, withCode))!);
  }
}

function poolName(ageDays: number, withCode: boolean): string {
  return `${ageDays < RECENT_DAYS ? 'recent' : 'older'} ${withCode ? 'coupon' : 'none'}`;
}

function makeTemplate(
  site: Site,
  random: SeededRandom,
  nowMs: number,
  ageDays: number,
  withCode: boolean,
): OrderTemplate {
  const placedAtMs = nowMs - ageDays * DAY_MS;
  const prepared = prepareOrder(
    site,
    sampleOrder(random, site.currency, {
      orderId: 0,
      placedAtMs,
      nowMs,
      codes: withCode ? [TEMPLATE_CODE] : [],
    }),
  );
  return new OrderTemplate(prepared, {
    placed: `"${isoOf(placedAtMs)}"`,
    refunded: `"${refundDate({ placedAtMs, nowMs })}"`,
    code: `"${TEMPLATE_CODE}"`,
    customer: `"${prepared.customerHash}"`,
  });
}
