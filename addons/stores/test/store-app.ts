import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { createCoupon } from '../../../src/modules/coupons/index.ts';
import {
  idOf,
  openTestApp,
  type Reply,
  type TestApp,
  type TestOptions,
} from '../../../test/support/harness.ts';
import { STORE } from '../../../test/support/payouts.ts';
import { drainInbox } from '../deliveries/process-deliveries.ts';
import { syncDue } from '../sync/sync-stores.ts';

export interface ConnectedStore {
  id: number;
  kind: string;
  secret: string;
  /** The path that the store sends its deliveries to. */
  receiver: string;
}

/** An app with connected stores. */
export class StoreApp {
  readonly app: TestApp;
  readonly key: string;

  static async open(options: TestOptions = {}): Promise<StoreApp> {
    const app = await openTestApp({
      ...options,
      settings: { 'stores.allow_private': true, ...options.settings },
    });
    return new StoreApp(app, await app.key('admin', 'read,write,manage'));
  }

  private constructor(app: TestApp, key: string) {
    this.app = app;
    this.key = key;
  }

  async connect(json: Record<string, unknown>): Promise<ConnectedStore & { body: any }> {
    const reply = await this.post('/connections', { name: 'Test store', ...json });
    assert.equal(reply.status, 201, reply.text);
    const { id, kind, webhook_secret } = reply.body;
    const receiver = `~/connect/${kind}/${id}`;
    return { id, kind, secret: webhook_secret, receiver, body: reply.body };
  }

  async coupon(code: string, user = idOf('maya')): Promise<number> {
    const values = { code, user_id: user };
    return (await invoke<{ id: number }>(this.app.site, createCoupon, values)).id;
  }

  post(path: string, json?: unknown): Promise<Reply> {
    return this.send('POST', path, json);
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  async send(method: string, path: string, json?: unknown): Promise<Reply> {
    return this.app.call(STORE + path, {
      method,
      key: this.key,
      ...(json !== undefined && { json }),
    });
  }

  /** Processes what has arrived. */
  async process(): Promise<void> {
    await drainInbox(this.app.site);
  }

  /** Reads what is due from the stores. */
  async sync(): Promise<void> {
    await syncDue(this.app.site);
  }

  async connection(id: number): Promise<any> {
    return (await this.get(`/connections/${id}`)).body;
  }

  async deliveries(id: number, query = ''): Promise<any[]> {
    return (await this.get(`/connections/${id}/deliveries?per_page=100${query}`)).body;
  }

  async order(orderId: number): Promise<any> {
    return (await this.get(`/orders/${orderId}`)).body;
  }

  /** A signed delivery of the kind `http`. */
  deliver(store: ConnectedStore, order: unknown, secret = store.secret): Promise<Reply> {
    const text = typeof order === 'string' ? order : JSON.stringify(order);
    return this.app.call(store.receiver, {
      method: 'POST',
      json: text,
      headers: { 'x-tributary-signature': sign(text, secret) },
    });
  }
}

export function sign(text: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

/** An order in the shape of the kind `http`; `version` counts minutes. */
export function orderOf(
  external_id: string,
  version = 0,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    external_id,
    date: '2026-01-20T14:05:09Z',
    date_modified: new Date(Date.UTC(2026, 0, 20, 15, version)).toISOString(),
    status: 'completed',
    total: 100,
    coupon_codes: ['MAYA10'],
    ...fields,
  };
}
