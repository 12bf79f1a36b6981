import type { AddonFacts } from '../../../test/support/addon-facts.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { TestApp } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const KNOWN_RECEIVER = 'sends to a receiver whose registration asked for a proof';

/** Nothing listens there. */
const newWebhook = { url: 'http://127.0.0.1:9/', events: ['key.created'] };

/** Not loaded with the facts: it listens until the tests of a file have ended. */
async function listening(): Promise<string> {
  const { Receiver } = await import('../../../test/support/receiver.ts');
  return (await new Receiver().listen()).url;
}

async function created(app: TestApp, url: string): Promise<number> {
  const key = await app.key('admin', 'read,write,manage');
  const json = { ...newWebhook, url };
  return (await app.call('/webhooks', { method: 'POST', key, json })).body.id;
}

/** A delivery that has arrived. */
async function delivered(app: TestApp): Promise<{ id: number; delivery_id: number }> {
  const id = await created(app, await listening());
  const key = await app.key('admin', 'read,write,manage');
  const job = app.site.registry.modules
    .flatMap((module) => module.jobs ?? [])
    .find(({ name }) => name === 'webhooks.deliver')!;
  return eventually(async () => {
    await job.run(app.site);
    const { body } = await app.call(`${STORE}/webhooks/${id}/deliveries`, { key });
    if (body[0]?.state !== 'delivered') throw new Error('It has not arrived yet.');
    return { id, delivery_id: body[0].id };
  });
}

export const facts: AddonFacts = {
  sendsHereBy: 'webhooks.allow_private',
  personalColumns: {
    webhook_attempts: 'of the store',
    webhook_days: 'of the store',
    webhook_deliveries: 'of the store',
    webhooks: 'of the store',
  },
  decodes: { 'addons/webhooks/forward/webhook-forwarder.ts': 'a secret' },
  withoutProof: {
    'POST /svc/store/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': KNOWN_RECEIVER,
    'POST /svc/store/v1/webhooks/{id}/replay': KNOWN_RECEIVER,
    'DELETE /svc/v2/webhooks/{id}': 'ends a receiver, and gives nothing',
    'PATCH /svc/v2/webhooks/{id}': KNOWN_RECEIVER,
    'POST /svc/v2/webhooks/{id}/test': KNOWN_RECEIVER,
  },
  asksForProof: {
    'a webhook': ['/svc/v2/webhooks', newWebhook],
  },
  screens: { console: ['/console/webhooks', '/console/webhooks?create=1'] },
  consoleGuides: { '/console/webhooks': 'webhooks' },
  posts: {
    post_webhooks: { 'a webhook': () => ({ json: newWebhook }) },
    post_webhooks_id_test: {
      'a ping': async (_fresh, _send, app) => ({
        values: { id: await created(app, await listening()) },
      }),
    },
    'store:post_webhooks_id_deliveries_delivery_id_redeliver': {
      'a delivery': async (_fresh, _send, app) => ({ values: await delivered(app) }),
    },
    'store:post_webhooks_id_replay': {
      'all events': async (_fresh, _send, app) => ({
        values: { id: await created(app, newWebhook.url) },
        json: { after: 0 },
      }),
    },
  },
  setUp: { webhooks: ['/svc/v2/webhooks', { ...newWebhook, events: ['key.revoked'] }] },
  notFilled: {
    webhook_days: 'one row for each receiver and day',
    webhooks: 'one row for each receiver, set up by an administrator: an event goes to all of them',
  },
  filledWith: {
    'webhook_attempts.answer_headers': `'{}'`,
    'webhook_attempts.number': '1',
    'webhook_deliveries.event': `case when i % 50 = 0 then 'coupon.created' else 'order.created' end`,
    'webhook_deliveries.state': `case when i % 50 = 0 then 'failed' else 'delivered' end`,
  },
  growthCases: {
    'DELETE /svc/v2/webhooks/{id}': async (_row, store) => {
      const { body } = await store.call('/svc/v2/webhooks', { method: 'POST', json: newWebhook });
      return { params: { id: body.id } };
    },
    'POST /svc/v2/webhooks': () => ({ json: newWebhook }),
    'POST /svc/v2/webhooks/{id}/test': () => ({ refusal: 502 }),
    'PATCH /svc/v2/webhooks/{id}': () => ({ json: { status: 'active' } }),
  },
  grows: {
    'GET /svc/store/v1/webhooks/{id}/deliveries': {
      stepsPerRow: 0.7,
      because: 'counts the deliveries of the webhook, a fifth of all, along an index',
    },
  },
  repeatsOnPostgres: [
    'addons/webhooks/api/webhook-routes.test.ts',
    'addons/webhooks/test/verify-delivery.test.ts',
    'addons/webhooks/test/webhooks-schedule.test.ts',
  ],
};
