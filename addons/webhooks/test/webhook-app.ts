import assert from 'node:assert/strict';
import Type from 'typebox';
import { query } from '../../../src/db/statements/query.ts';
import { defineEvent } from '../../../src/kernel/declare/event.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestApp, type TestApp, type TestOptions } from '../../../test/support/harness.ts';
import { deliverEvents } from '../delivery/deliver-events.ts';
import { dispatcherOf } from '../delivery/dispatcher.ts';

export const STORE = '/svc/store/v1';

const made = defineEvent('referral.created', 'For tests.', Type.Object({ mark: Type.Integer() }), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: { mark: 1 },
});
const other = defineEvent('key.revoked', 'For tests.', Type.Object({ mark: Type.Integer() }), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: { mark: 1 },
});

interface DeliveryState {
  webhook_id: number;
  event_id: number;
  state: string;
  attempts: number;
  due_at: number | null;
}

const allDeliveries = query<object, DeliveryState>((db) =>
  db
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'event_id', 'state', 'attempts', 'due_at'])
    .orderBy('id'),
);

/** A test app whose webhooks may point to this machine. */
export class WebhookApp {
  readonly app: TestApp;
  readonly admin: string;

  constructor(app: TestApp, admin: string) {
    this.app = app;
    this.admin = admin;
  }

  create(json: Record<string, unknown>, key = this.admin) {
    return this.app.call('/webhooks', { method: 'POST', key, json });
  }

  /** Creates a webhook with this URL. */
  async webhook(url: string, events: string[] = ['*']): Promise<{ id: number; secret: string }> {
    const reply = await this.create({ url, events });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  }

  async get(id: number) {
    const { body } = await this.app.call('/webhooks?per_page=100', { key: this.admin });
    return body.find((webhook: { id: number }) => webhook.id === id);
  }

  change(id: number, json: unknown) {
    return this.app.call(`/webhooks/${id}`, { method: 'PATCH', key: this.admin, json });
  }

  async deliveries(id: number, search = '') {
    const path = `${STORE}/webhooks/${id}/deliveries?per_page=100${search}`;
    return (await this.app.call(path, { key: this.admin })).body;
  }

  /** Every delivery, read from the database. */
  rows(): Promise<DeliveryState[]> {
    return this.app.site.database.read.all(allDeliveries, {});
  }

  /** Emits events, several per transaction. */
  async emit(count = 1, options: { other?: boolean } = {}): Promise<void> {
    const event = options.other ? other : made;
    const { database, clock } = this.app.site;
    await database.transaction(async (tx) => {
      for (let mark = 1; mark <= count; mark++) {
        const details = { objectId: mark, userId: 0, info: 'Emitted by a test.', data: { mark } };
        emit(tx, event, { ...details, nowMs: clock() });
      }
    });
  }

  /** Sends all due deliveries and waits until they are finished. */
  async sendDue(): Promise<void> {
    const { site } = this.app;
    // Where the background job runs, it may fan out at the same time; one of the two then fails and is retried.
    await eventually(() => deliverEvents.run(site));
    await dispatcherOf(site).finish();
  }

  /** Sends what is due until the check passes. */
  sendUntil(check: () => unknown): Promise<void> {
    return eventually(async () => {
      await this.sendDue();
      await check();
    });
  }

  /** Sends what is due; the only delivery of the webhook has then had `count` attempts. */
  async attempts(id: number, count: number) {
    await this.sendDue();
    return this.attempted(id, count);
  }

  /** The only delivery of the webhook, which has had `count` attempts. */
  async attempted(id: number, count: number) {
    const [delivery] = await this.deliveries(id);
    assert.equal(delivery?.attempts, count);
    return delivery;
  }
}

export async function openWebhookApp(options: TestOptions = {}): Promise<WebhookApp> {
  const app = await openTestApp({
    ...options,
    settings: { 'webhooks.allow_private': true, ...options.settings },
  });
  return new WebhookApp(app, await app.key('admin', 'read,write,manage'));
}
