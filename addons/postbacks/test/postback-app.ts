import assert from 'node:assert/strict';
import { eventually } from '../../../test/support/eventually.ts';
import {
  idOf,
  openTestApp,
  type TestApp,
  type TestOptions,
} from '../../../test/support/harness.ts';
import { deliverPostbacks } from '../delivery/deliver-postbacks.ts';
import { dispatcherOf } from '../delivery/dispatcher.ts';

export const STORE = '/svc/store/v1';

/** A test app whose postbacks may point to this machine, with a coupon of maya. */
export class PostbackApp {
  readonly app: TestApp;
  readonly admin: string;
  readonly maya: string;
  readonly path = `${STORE}/affiliates/${idOf('maya')}/postbacks`;

  constructor(app: TestApp, admin: string, maya: string) {
    this.app = app;
    this.admin = admin;
    this.maya = maya;
  }

  create(json: Record<string, unknown>, key = this.maya) {
    const events = ['created', 'granted', 'changed', 'reversed'];
    return this.app.call(this.path, { method: 'POST', key, json: { events, ...json } });
  }

  async postback(json: Record<string, unknown>): Promise<{ id: number; secret: string }> {
    const reply = await this.create(json);
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  }

  async get(id: number) {
    const { body } = await this.app.call(this.path, { key: this.maya });
    return body.find((postback: { id: number }) => postback.id === id);
  }

  change(id: number, json: unknown) {
    return this.app.call(`${this.path}/${id}`, { method: 'PATCH', key: this.maya, json });
  }

  remove(id: number) {
    return this.app.call(`${this.path}/${id}`, { method: 'DELETE', key: this.maya });
  }

  replay(id: number, from: string) {
    const json = { from };
    return this.app.call(`${this.path}/${id}/replay`, { method: 'POST', key: this.maya, json });
  }

  /** Oldest first. */
  async deliveries(id: number) {
    const path = `${this.path}/${id}/deliveries?per_page=100`;
    return (await this.app.call(path, { key: this.maya })).body.toReversed();
  }

  async order(id: number, given: Record<string, unknown> = {}): Promise<void> {
    const json = { date: '2026-03-01T10:00:00', status: 'processing', subtotal: 100, total: 100 };
    const reply = await this.app.call(`${STORE}/orders/${id}`, {
      method: 'PUT',
      key: this.admin,
      json: { ...json, coupon_codes: ['MAYA10'], ...given },
    });
    assert.ok(reply.status < 300, reply.text);
  }

  /** Sends all that is due and waits until it has ended. */
  async sendDue(): Promise<void> {
    await eventually(() => deliverPostbacks.run(this.app.site));
    await dispatcherOf(this.app.site).finish();
  }

  /** Sends what is due until the check passes. */
  sendUntil(check: () => unknown): Promise<void> {
    return eventually(async () => {
      await this.sendDue();
      await check();
    });
  }
}

export async function openPostbackApp(options: TestOptions = {}): Promise<PostbackApp> {
  const app = await openTestApp({
    ...options,
    settings: { 'postbacks.allow_private': true, ...options.settings },
  });
  const admin = await app.key('admin', 'read,write,manage');
  const json = { code: 'MAYA10', user_id: idOf('maya') };
  await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  return new PostbackApp(app, admin, await app.key('maya', 'read,write'));
}
