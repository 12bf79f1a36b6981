import assert from 'node:assert/strict';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { createCoupon } from '../../src/modules/coupons/index.ts';
import { adjustCoupon } from '../../src/modules/ledger/adjust-coupon.ts';
import { idOf, openTestApp, type TestApp, type TestOptions } from './harness.ts';

export const STORE = '/svc/store/v1';

export const bankDetails = {
  method_type: 'banktransfer',
  details: { account_holder: 'Maya Okafor', iban: 'DE89370400440532013000' },
};

/** A test app for payouts, with affiliates that can be paid and coupons with a balance. */
export class PayoutApp {
  readonly app: TestApp;
  readonly admin: string;
  readonly maya: string;
  #codes = 0;

  constructor(app: TestApp, admin: string, maya: string) {
    this.app = app;
    this.admin = admin;
    this.maya = maya;
  }

  /** Creates a coupon with this unpaid balance, by default for maya. */
  async coupon(unpaid: number, userId: number | null = idOf('maya')): Promise<number> {
    const { id } = await invoke<{ id: number }>(this.app.site, createCoupon, {
      code: `PAY${++this.#codes}`,
      user_id: userId,
    });
    if (unpaid !== 0) await this.earn(id, unpaid);
    return id;
  }

  async earn(couponId: number, amount: number): Promise<void> {
    await invoke(this.app.site, adjustCoupon, { id: couponId, amount, note: 'Test' });
  }

  request(couponId: number, key = this.admin) {
    return this.app.call('/payouts', { method: 'POST', key, json: { coupon_id: couponId } });
  }

  change(payoutId: number, status: string, key = this.admin, more: object = {}) {
    const json = { status, ...more };
    return this.app.call(`/payouts/${payoutId}/status`, { method: 'POST', key, json });
  }

  /** Changes it as one of a selection; resolves to the code of the refusal, or null. */
  async select(payoutId: number, status: string): Promise<string | null> {
    const json = { ids: [payoutId], status };
    const path = `${STORE}/payouts/batch`;
    const { body } = await this.app.call(path, { method: 'POST', key: this.admin, json });
    return body.items[0].error?.code ?? null;
  }

  async get(payoutId: number) {
    return (await this.app.call(`/payouts/${payoutId}`, { key: this.admin })).body;
  }

  /** Creates a payout with this status. */
  async payoutAt(status: string, amount = 50): Promise<{ id: number; coupon_id: number }> {
    return this.ofCoupon(await this.coupon(amount), status);
  }

  /** Requests what a coupon has unpaid, as a payout with this status. */
  async ofCoupon(couponId: number, status: string): Promise<{ id: number; coupon_id: number }> {
    const { status: code, body } = await this.request(couponId);
    assert.equal(code, 201);
    if (status !== 'pending') assert.equal((await this.change(body.id, status)).status, 200);
    return body;
  }

  /** The balances unpaid, pending payout and paid. */
  async pools(couponId: number): Promise<[number, number, number]> {
    const { body } = await this.app.call(`/coupons/${couponId}`, { key: this.admin });
    return [body.unpaid_commission, body.pending_payout_commission, body.paid_commission];
  }

  setDetails(login: string, json: object, key = this.admin) {
    return this.app.call(`${STORE}/affiliates/${idOf(login)}/payout-details`, {
      method: 'PUT',
      key,
      json,
    });
  }

  async events(after: number): Promise<any[]> {
    const path = `/events?after=${after}&event=payout&per_page=100`;
    return (await this.app.call(path, { key: this.admin })).body;
  }

  async assertClean(): Promise<void> {
    const { body } = await this.app.call(`${STORE}/ledger/verify`, { key: this.admin });
    assert.deepEqual(body.differences, []);
  }
}

export async function openPayoutApp(options: TestOptions = {}): Promise<PayoutApp> {
  // Tests pay one affiliate more on a day than the default allows without a review.
  const settings = { 'payouts.auto_accept_max': 1_000_000, ...options.settings };
  const app = await openTestApp({ ...options, settings });
  const admin = await app.key('admin', 'read,write,manage');
  const maya = await app.key('maya', 'read,write');
  const payouts = new PayoutApp(app, admin, maya);
  const reply = await payouts.setDetails('maya', bankDetails);
  assert.equal(reply.status, 200, reply.text);
  return payouts;
}
