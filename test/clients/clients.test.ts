import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { sendingHere } from '../support/every-addon-on.ts';
import { openTestApp } from '../support/harness.ts';
import { Receiver } from '../support/receiver.ts';
import { compile, load, makeClients } from './generators.ts';
import type { Outcome, Service } from './programs/program.ts';

/**
 * Generates clients from the OpenAPI documents of the running service. They must compile in strict
 * mode and work against the service.
 */
const app = await openTestApp({ settings: { ...sendingHere } });
const admin = await app.key('admin', 'read,write,manage');
const service: Service = {
  v2: `${app.url}/svc/v2`,
  store: `${app.url}/svc/store/v1`,
  headers: { authorization: `Bearer ${admin}`, 'x-forwarded-proto': 'https' },
};
const receiver = await new Receiver().listen();
const hook = { url: receiver.url, events: ['*'] };
const { id: webhookId } = (await app.call('/webhooks', { method: 'POST', key: admin, json: hook }))
  .body;
const documents = {
  v2: (await app.call('/openapi')).body,
  store: (await app.call('/svc/store/v1/openapi')).body,
};
const folder = await makeClients(documents, { v2: service.v2, store: service.store });
after(() => rmSync(folder, { recursive: true, force: true }));

test('the generated clients and the programs that use them compile', async () => {
  assert.equal(await compile(folder), '');
});

const clients = {
  'openapi-typescript with openapi-fetch': 'fetch-client',
  orval: 'orval-client',
  'Hey API with zod': 'zod-client',
};

for (const [name, program] of Object.entries(clients)) {
  test(`${name}: creates, lists page by page, and tells refusals apart`, async () => {
    const { run } = await load<{ run(service: Service): Promise<Outcome> }>(folder, program);
    const outcome = await run(service);
    const { headers, body } = await app.call('/coupons?per_page=100', { key: admin });
    assert.equal(headers.get('x-svc-total'), String(outcome.listed.length));
    assert.deepEqual(
      outcome.listed,
      body.map((coupon: { id: number }) => coupon.id),
    );
    assert.ok(outcome.listed.includes(outcome.created));
    assert.equal(outcome.notFound, 'svc_api_not_found');
    assert.deepEqual(Object.keys(outcome.refused), ['per_page']);
    assert.equal(outcome.commission, 12.5);
  });
}

describe('zod', async () => {
  const { readDelivery, isRefused } = await load<{
    readDelivery(body: string): string;
    isRefused(body: unknown): boolean;
  }>(folder, 'zod-client');

  test('reads what a webhook delivers', async () => {
    const tested = await app.call(`/webhooks/${webhookId}/test`, { method: 'POST', key: admin });
    assert.equal(tested.body.code, 200);
    const deliver = app.site.registry.modules
      .flatMap(({ jobs = [] }) => jobs)
      .find(({ name }) => name === 'webhooks.deliver')!;
    await eventually(async () => {
      await deliver.run(app.site);
      const read = new Set(receiver.received.map(({ body }) => readDelivery(body)));
      assert.ok(read.has('order 5003 earns 12.5 USD'));
      assert.ok(read.has(`ping of ${webhookId}`));
    });
  });

  test('reads the example of every event, and refuses another type', () => {
    for (const [event, { post }] of Object.entries<any>(documents.v2.webhooks)) {
      const { example } = post.requestBody.content['application/json'];
      assert.doesNotThrow(() => readDelivery(JSON.stringify(example)), event);
      assert.ok(isRefused({ ...example, type: 'unheard.of' }));
      assert.ok(isRefused({ ...example, data: null }));
    }
  });
});
