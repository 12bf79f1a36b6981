import assert from 'node:assert/strict';
import { applyStatuses } from '../../src/modules/orders/resettle/apply-statuses.ts';
import { idOf, openTestApp, type TestApp, type TestOptions } from './harness.ts';

export const STORE = '/svc/store/v1';
export const DAY = 'from=2026-07-03&to=2026-07-03';

export async function openStore(options: Pick<TestOptions, 'jobs'> = {}) {
  const app = await openTestApp(options);
  return new Store(app, await app.key('admin', 'read,write,manage'));
}

/** A store for tests that change which order statuses count and which grant commission. */
class Store {
  readonly app: TestApp;
  readonly key: string;
  #orders = 0;

  constructor(app: TestApp, key: string) {
    this.app = app;
    this.key = key;
  }

  async get(path: string) {
    const reply = await this.app.call(path, { key: this.key });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  }

  async send(method: string, path: string, json: object) {
    const reply = await this.app.call(STORE + path, { method, key: this.key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  }

  async coupon(code: string, login = 'maya'): Promise<number> {
    return (await this.send('POST', '/coupons', { code, user_id: idOf(login) })).id;
  }

  async order(codes: string[], status: string, more: object = {}, id = ++this.#orders) {
    const date = '2026-07-03T10:00:00';
    const json = { date, status, total: 100, coupon_codes: codes, ...more };
    await this.send('PUT', `/orders/${id}`, json);
    return id;
  }

  set(counted: string[], granted = ['completed']) {
    return this.app.set({
      'orders.counted_statuses': counted,
      'commission.granted_statuses': granted,
    });
  }

  refresh(coupon: number) {
    this.app.advance(61_000);
    return this.get(`/coupons/${coupon}/stats?refresh=true`);
  }

  /** Orders, sales and own commission, then the unpaid and the pending commission. */
  async shown(coupon: number, query = '') {
    const body = await this.get(`/coupons/${coupon}/stats${query}`);
    return [...figuresOf(body), body.unpaid_commission, body.pending_order_commission];
  }

  async report(query = DAY) {
    const { totals } = await this.get(`/reports/summary?refresh=true&${query}`);
    return figuresOf(totals);
  }

  /** The first run finds the change, the next one applies it. */
  async applyInBackground() {
    await applyStatuses.run(this.app.site);
    await applyStatuses.run(this.app.site);
  }

  async verify() {
    assert.deepEqual((await this.get(`${STORE}/ledger/verify`)).differences, []);
  }
}

export const figuresOf = (body: any) => [
  body.orders_count,
  body.total_sales,
  body.total_commission,
];

/** Opens a store with one order of 100 at 10 % for each status. */
export async function openWithOrders(options: Pick<TestOptions, 'jobs'> = {}) {
  const store = await openStore(options);
  const coupon = await store.coupon('ANN');
  for (const status of ['pending', 'processing', 'on-hold', 'completed', 'cancelled']) {
    await store.order(['ANN'], status);
  }
  assert.deepEqual(await store.shown(coupon), [2, 200, 20, 10, 10]);
  return { store, coupon };
}
