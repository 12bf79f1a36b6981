import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../../../src/shared/bounded-map.ts';
import { objectOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type StoreApi } from '../connector.ts';
import { appOf } from './token.ts';

const APPS_MAX = 1_000;
const COSTS_MAX = 100;
/** Any bucket is full again earlier; a longer wait is left to the job that asks. */
const WAIT_MS_MAX = 30_000;

/**
 * What an app may still spend in a shop, by Shopify's own figures. A query needs room for its requested cost, and takes
 * only what its answer has cost. The room is restored by a number of points a second, which depends on the plan of the
 * shop.
 */
export class Throttle {
  static readonly #apps = new BoundedMap<string, Throttle>(APPS_MAX);

  /** The requested costs of queries, which depend on how much they ask for and not on what is answered. */
  readonly #costs = new BoundedMap<string, number>(COSTS_MAX);
  #available = Infinity;
  #maximum = Infinity;
  #restoreRate = 1;
  #atMs = 0;

  static of(store: StoreApi): Throttle {
    const app = appOf(store);
    const known = Throttle.#apps.get(app);
    if (known) return known;
    const own = new Throttle();
    Throttle.#apps.set(app, own);
    return own;
  }

  /** Reads `extensions.cost` of an answer, which one that was throttled has as well. */
  note(query: string, variables: Json, cost: Json, nowMs = performance.now()): void {
    const { requestedQueryCost } = cost;
    const status = objectOf(cost['throttleStatus']);
    const { currentlyAvailable, maximumAvailable, restoreRate } = status;
    if (isAmount(requestedQueryCost)) this.#costs.set(keyOf(query, variables), requestedQueryCost);
    if (!isAmount(currentlyAvailable) || !isAmount(maximumAvailable) || !isAmount(restoreRate)) {
      return;
    }
    this.#available = currentlyAvailable;
    this.#maximum = maximumAvailable;
    this.#restoreRate = Math.max(1, restoreRate);
    this.#atMs = nowMs;
  }

  /** What the same query cost the last time. */
  costOf(query: string, variables: Json): number | undefined {
    return this.#costs.get(keyOf(query, variables));
  }

  /** How long it takes until there is room for a query; 0 if its cost is not known yet. */
  waitMs(query: string, variables: Json, nowMs = performance.now()): number {
    const cost = Math.min(this.costOf(query, variables) ?? 0, this.#maximum);
    const lacking = cost - this.#roomAt(nowMs);
    return lacking <= 0 ? 0 : Math.ceil((lacking / this.#restoreRate) * 1_000);
  }

  async waitForRoom(query: string, variables: Json): Promise<void> {
    const waitMs = this.waitMs(query, variables);
    if (waitMs > WAIT_MS_MAX) throw new StoreError('busy', 'Shopify asks to wait.', waitMs);
    if (waitMs > 0) await pause(waitMs);
    // Until the answer tells, other queries of this process count with it.
    const nowMs = performance.now();
    this.#available = this.#roomAt(nowMs) - (this.costOf(query, variables) ?? 0);
    this.#atMs = nowMs;
  }

  #roomAt(nowMs: number): number {
    const restored = ((nowMs - this.#atMs) / 1_000) * this.#restoreRate;
    return Math.min(this.#maximum, this.#available + restored);
  }
}

function keyOf(query: string, { first, ids }: Json): string {
  return JSON.stringify([query, first, Array.isArray(ids) ? ids.length : 0]);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
