import assert from 'node:assert/strict';
import { pino } from 'pino';
import { openApp, type App } from '../../../../src/app.ts';
import { TrustedProxies } from '../../../../src/http/connections/trusted-proxies.ts';
import { createServer, type HttpServer } from '../../../../src/http/server.ts';
import { resolveConfig } from '../../../../src/installation/config.ts';
import { invoke } from '../../../../src/kernel/call/invoke.ts';
import { LockOut } from '../../../../src/kernel/call/lock-out.ts';
import type { Site } from '../../../../src/kernel/declare/site.ts';
import { createCoupon } from '../../../../src/modules/coupons/index.ts';
import { createKey } from '../../../../src/modules/keys/index.ts';
import { adjustCoupon } from '../../../../src/modules/ledger/adjust-coupon.ts';
import { changeSettings } from '../../../../src/modules/settings/index.ts';
import { createUser } from '../../../../src/modules/users/index.ts';
import { Place } from '../../../../test/models/place.ts';
import { setPayoutDetails } from '../../details/set-payout-details.ts';
import { followUp } from '../../payment/follow-up.ts';
import type { PaymentService } from './services.ts';

const MAYA = 2;
const DAY_MS = 86_400_000;

/** The answer; status 0 if the process died before it answered. */
export interface Reply {
  status: number;
  body: any;
}

/** An installation that pays by one service, can crash at any moment, and has an adjustable clock. */
export class Shop {
  readonly #service: PaymentService;
  #place: Place;
  #app!: App;
  #server!: HttpServer;
  #keys = { admin: '', maya: '' };
  #coupons = 0;
  #underWay: Promise<unknown> = Promise.resolve();
  #crash: Promise<void> | undefined;
  clockMs = Date.now();

  private constructor(service: PaymentService, place: Place) {
    this.#service = service;
    this.#place = place;
  }

  static async open(service: PaymentService): Promise<Shop> {
    const shop = new Shop(service, await Place.make());
    await shop.#open();
    await shop.#furnish();
    return shop;
  }

  get site(): Site {
    return this.#app.site;
  }

  async close(): Promise<void> {
    await this.#app.close();
    await this.#place.remove();
  }

  /** Creates a coupon of the affiliate, which holds the balance. */
  async coupon(): Promise<number> {
    const values = { code: `ONCE${++this.#coupons}`, user_id: MAYA };
    return (await invoke<{ id: number }>(this.site, createCoupon, values)).id;
  }

  async earn(couponId: number, cents: number): Promise<void> {
    await invoke(this.site, adjustCoupon, { id: couponId, amount: cents / 100, note: 'Test' });
  }

  request(couponId: number): Promise<Reply> {
    return this.#call('POST', '/v2/payouts', 'maya', { coupon_id: couponId });
  }

  resolve(payoutId: number, outcome: string): Promise<Reply> {
    return this.#call('POST', `/store/v1/payouts/${payoutId}/resolve`, 'admin', { outcome });
  }

  /** Runs the follow-up job, which may crash too. */
  async followUp(): Promise<void> {
    await this.#unlessCrashed(followUp.run(this.site));
  }

  async payouts(couponId: number): Promise<any[]> {
    const path = `/v2/payouts?coupon_id=${couponId}&per_page=100`;
    return (await this.#call('GET', path, 'admin')).body;
  }

  /** The unpaid amount, and the amount that is paid or under way, in cents. */
  async pools(couponId: number): Promise<{ unpaid: number; out: number }> {
    const { body } = await this.#call('GET', `/v2/coupons/${couponId}`, 'admin');
    const cents = (major: number) => Math.round(major * 100);
    return {
      unpaid: cents(body.unpaid_commission),
      out: cents(body.pending_payout_commission) + cents(body.paid_commission),
    };
  }

  async assertClean(): Promise<void> {
    const { body } = await this.#call('GET', '/store/v1/ledger/verify', 'admin');
    assert.deepEqual(body.differences, []);
  }

  /**
   * Ends as by a loss of power at this moment and starts again. What counts is what the database has by
   * then; the program that lives on for a while reaches neither that nor the service any more.
   */
  crash(): Promise<void> {
    this.#crash ??= this.#loosePower();
    return this.#crash;
  }

  async #loosePower(): Promise<void> {
    const restart = await this.#place.cutOff();
    const { fake } = this.#service;
    fake.goAway(true);
    await this.#underWay.catch(() => {});
    await this.#app.close().catch(() => {});
    fake.goAway(false);
    this.#place = await restart();
    await this.#open();
  }

  async #call(method: 'GET' | 'POST', path: string, by: 'admin' | 'maya', json?: object) {
    const answer = this.#server.fastify.inject({
      method,
      url: `/svc${path}`,
      headers: {
        authorization: `Bearer ${this.#keys[by]}`,
        'x-forwarded-proto': 'https',
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { payload: JSON.stringify(json) }),
    });
    const reply = await this.#unlessCrashed(answer);
    if (!reply) return { status: 0, body: undefined };
    return { status: reply.statusCode, body: JSON.parse(reply.body) };
  }

  /** Undefined if the process crashed. */
  async #unlessCrashed<T>(work: Promise<T>): Promise<T | undefined> {
    this.#underWay = work;
    const done = await work.catch((error: unknown) => {
      if (!this.#crash) throw error;
    });
    if (!this.#crash) return done as T;
    await this.#crash;
    this.#crash = undefined;
    return undefined;
  }

  async #furnish(): Promise<void> {
    const { site } = this;
    for (const [login, role] of [
      ['admin', 'administrator'],
      ['maya', 'affiliate'],
    ] as const) {
      const user = { login, email: `${login}@test.example`, role, passwordHash: 'none' };
      const { id } = await site.database.transaction((tx) => createUser(tx, site, user));
      const key = { user_id: id, scopes: 'read,write,manage' };
      this.#keys[login] = (await invoke<{ token: string }>(site, createKey, key)).token;
    }
    const { method, details, settings } = this.#service;
    await invoke(site, changeSettings, {
      'api.rate_per_minute': '1000000',
      'payouts.auto_accept': 'true',
      'payouts.auto_accept_max': '100000',
      'payouts.methods': [method],
      ...settings,
    });
    await invoke(site, setPayoutDetails, { id: MAYA, method_type: method, details });
    // After the hold time of new details.
    this.clockMs += 2 * DAY_MS;
  }

  async #open(): Promise<void> {
    const { data, databaseUrl } = this.#place;
    const values = { data, databaseUrl, tls: 'off', ...this.#service.config };
    const { config } = resolveConfig(values, {});
    const log = pino({ level: 'silent' });
    this.#app = await openApp({ config, log, clock: () => this.clockMs });
    this.#server = createServer(this.#app.site, {
      connections: { all: 10, perNetwork: 10 },
      tls: undefined,
      proxies: new TrustedProxies(['127.0.0.1']),
      lockOut: new LockOut(() => performance.now()),
    });
    await this.#server.fastify.ready();
  }
}
