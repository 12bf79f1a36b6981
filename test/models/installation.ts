import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openApp, type App } from '../../src/app.ts';
import { TrustedProxies } from '../../src/http/connections/trusted-proxies.ts';
import { createServer, type HttpServer } from '../../src/http/server.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { LockOut } from '../../src/kernel/call/lock-out.ts';
import { ApiError } from '../../src/kernel/declare/errors.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { createCoupon } from '../../src/modules/coupons/index.ts';
import { createKey } from '../../src/modules/keys/index.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { createUser } from '../../src/modules/users/index.ts';
import { invokeChange, oneAccount } from '../support/changes.ts';
import { courier } from './courier.ts';
import { Place } from './place.ts';

export const bankDetails = { account_holder: 'Maya Okafor', iban: 'DE89370400440532013000' };

/** Ids 1 to 4 in this order. The last affiliate never saves payout details. */
export const logins = ['admin', 'maya', 'tomas', 'nina'] as const;
export type Login = (typeof logins)[number];

/** The owners of the coupons with the ids 1 to 5. */
export const owners: readonly (Login | null)[] = ['maya', 'maya', 'tomas', 'nina', null];

export const START_MS = Date.parse('2026-03-01T12:00:00Z');

/** A response in short form, such as `201` or `400 svc_api_no_balance`, and its body. */
export interface Reply {
  short: string;
  body: any;
}

export interface Template {
  place: Place;
  keys: Record<Login, string>;
}

/** Creates a data folder with users, coupons and credentials; every run copies it with its database. */
export async function prepare(): Promise<Template> {
  const place = await Place.make();
  const app = await open(place, () => START_MS);
  const { site } = app;
  const keys: Partial<Record<Login, string>> = {};
  for (const [index, login] of logins.entries()) {
    await site.database.transaction((tx) =>
      createUser(tx, site, {
        login,
        email: `${login}@test.example`,
        role: index === 0 ? 'administrator' : 'affiliate',
        passwordHash: 'none',
      }),
    );
    const key = { user_id: index + 1, scopes: 'read,write,manage' };
    keys[login] = (await invoke<{ token: string }>(site, createKey, key)).token;
  }
  for (const [index, owner] of owners.entries()) {
    await invoke(site, createCoupon, {
      code: `MODEL${index}`,
      user_id: owner === null ? null : logins.indexOf(owner) + 1,
      percent_override: 10,
    });
  }
  const call = (name: string, values: Record<string, unknown>) =>
    invoke(
      site,
      site.registry.allOperations().find((one) => one.switchName === name)!,
      values,
    );
  const setDetails = 'store:put_affiliates_id_payout-details';
  await call(setDetails, { id: 2, method_type: 'courier', details: {} });
  await call(setDetails, { id: 3, method_type: 'banktransfer', details: bankDetails });
  await invoke(site, changeSettings, {
    'api.rate_per_minute': '1000000',
    'payouts.auto_accept': 'true',
    'payouts.details_hold_hours': '0',
    'payouts.auto_accept_max': '1000',
    'payouts.methods': ['banktransfer', 'credit', 'courier'],
  });
  // All affiliates of the model that have a bank account have the same one.
  for (const change of oneAccount) await invokeChange(site, change);
  await app.close();
  return { place, keys: keys as Record<Login, string> };
}

/** A running copy of the prepared data folder. Requests go through Fastify's `inject`, without a network. */
export class Installation {
  readonly #keys: Record<Login, string>;
  #place: Place;
  #app!: App;
  #server!: HttpServer;
  clockMs = START_MS;

  private constructor(keys: Template['keys'], place: Place) {
    this.#keys = keys;
    this.#place = place;
  }

  static async open({ keys, place }: Template): Promise<Installation> {
    const installation = new Installation(keys, await place.copy());
    await installation.#open();
    return installation;
  }

  get site(): Site {
    return this.#app.site;
  }

  async call(method: 'GET' | 'POST' | 'PUT', path: string, by: Login, json?: object) {
    const { statusCode, body } = await this.#server.fastify.inject({
      method,
      url: `/svc${path}`,
      headers: {
        authorization: `Bearer ${this.#keys[by]}`,
        'x-forwarded-proto': 'https',
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { payload: JSON.stringify(json) }),
    });
    const read = JSON.parse(body);
    const short = statusCode < 400 ? String(statusCode) : `${statusCode} ${read.code}`;
    return { short, body: read } satisfies Reply;
  }

  /** Calls an operation as the command line does. */
  async invoke(operation: Operation, values: Record<string, unknown>): Promise<Reply> {
    try {
      return { short: 'done', body: await invoke(this.site, operation, values) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code } = error.definition;
      return { short: `${status} ${code}`, body: error.toBody() };
    }
  }

  /**
   * Crashes as by a loss of power and restarts. Only what the database has stored counts; the old process lives on for
   * a while but reaches neither the database nor the gateway.
   */
  async crash(underWay: Promise<unknown>[]): Promise<void> {
    const app = this.#app;
    const restart = await this.#place.cutOff();
    courier.hangUp();
    // The old process must not reach the gateway of the new one.
    const [script, payments] = [courier.script, courier.payments];
    courier.script = { ...script, before: 0, after: 0 };
    courier.payments = structuredClone(payments);
    await Promise.allSettled(underWay);
    await app.close();
    courier.payments = payments;
    courier.script = script;
    this.#place = await restart();
    await this.#open();
  }

  async close(): Promise<void> {
    await this.#app.close();
    await this.#place.remove();
  }

  async #open(): Promise<void> {
    this.#app = await open(this.#place, () => this.clockMs);
    this.#server = createServer(this.#app.site, {
      connections: { all: 10, perNetwork: 10 },
      tls: undefined,
      proxies: new TrustedProxies(['127.0.0.1']),
      lockOut: new LockOut(() => performance.now()),
    });
    await this.#server.fastify.ready();
  }
}

function open({ data, databaseUrl }: Place, clock: () => number): Promise<App> {
  const extensions = fileURLToPath(new URL('courier.ts', import.meta.url));
  const { config } = resolveConfig({ data, databaseUrl, tls: 'off', extensions }, {});
  return openApp({ config, log: pino({ level: 'silent' }), clock });
}
