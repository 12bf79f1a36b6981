import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { GuardedClient } from '../../../src/shared/guarded-client.ts';
import type { Resolve } from '../../../src/shared/guarded-connect.ts';
import { TransportError } from '../../../src/shared/transport-error.ts';
import { SAFETY_NET_MS } from '../../../test/support/eventually.ts';
import { refusal } from '../../../test/support/harness.ts';
import { internalHosts, notation, oddUrls } from '../../../test/support/internal-addresses.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { openWebhookApp } from './webhook-app.ts';

/**
 * None of these requests may reach a server: servers listen on both loopback addresses and every tested
 * port, and must get no connection.
 */
const app = await openWebhookApp({ settings: { 'webhooks.allow_private': false } });
const canary = await new Receiver().listen('127.0.0.1');
const canary6 = await new Receiver().listen('::1');
const { port } = canary;

after(() => {
  assert.equal(canary.connections, 0, 'a connection to 127.0.0.1');
  assert.equal(canary6.connections, 0, 'a connection to ::1');
});

const post = { headers: {}, body: '{}', timeoutMs: SAFETY_NET_MS };

describe('a webhook is refused when it is created', () => {
  for (const host of internalHosts) {
    test(`https://${host}`, async () => {
      const reply = await app.create({ url: `https://${host}:${port}/`, events: ['*'] });
      assert.equal(refusal(reply), '400 svc_api_invalid_url');
    });
  }

  for (const url of oddUrls(port)) {
    test(JSON.stringify(url.slice(0, 60)), async () => {
      const reply = await app.create({ url, events: ['*'] });
      assert.equal(refusal(reply), '400 svc_api_invalid_url');
    });
  }

  test('for an internal address in any notation', async () => {
    await fc.assert(
      fc.asyncProperty(notation(), async (host) => {
        const reply = await app.create({ url: `https://${host}:${port}/`, events: ['*'] });
        assert.equal(refusal(reply), '400 svc_api_invalid_url', host);
      }),
      { numRuns: 300 },
    );
  });
});

describe('no connection is opened', () => {
  const client = new GuardedClient();
  after(() => client.close());

  for (const host of internalHosts.filter((name) => URL.canParse(`https://${name}/`))) {
    test(host, async () => {
      for (const scheme of ['http', 'https']) {
        const sending = client.post(new URL(`${scheme}://${host}:${port}/`), post);
        await assert.rejects(sending, (error: TransportError) => error.error === 'address');
      }
    });
  }
});

describe('a host name', () => {
  const send = async (resolve: Resolve, options: { allowPrivate?: boolean } = {}) => {
    const client = new GuardedClient({ resolve, ...options });
    try {
      return await client.post(new URL(`http://shop.example:${port}/`), post);
    } finally {
      await client.close();
    }
  };
  const isRefused = (error: TransportError) => error.error === 'address';

  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:4700::1111', '::1'],
    ['169.254.169.254'],
    ['0.0.0.0'],
    ['not an address'],
  ]) {
    test(`that resolves to ${addresses.join(' and ')} is not connected to`, async () => {
      await assert.rejects(
        send(async () => addresses),
        isRefused,
      );
    });
  }

  test('that changes its DNS answer between check and connection is not connected to', async () => {
    let asked = 0;
    const rebinding: Resolve = async () => (asked++ === 0 ? ['93.184.216.34'] : ['127.0.0.1']);
    const client = new GuardedClient({ resolve: rebinding });
    await client.check(new URL('https://shop.example/'));
    const sending = client.post(new URL(`http://shop.example:${port}/`), post);
    await assert.rejects(sending, isRefused);
    assert.equal(asked, 2);
    await client.close();
  });

  test('is resolved once per connection, so that the answer cannot change', async () => {
    const receiver = await new Receiver().listen();
    let asked = 0;
    const client = new GuardedClient({
      allowPrivate: true,
      resolve: async () => (asked++ === 0 ? ['127.0.0.1'] : ['::1']),
    });
    const answer = await client.post(new URL(`http://shop.example:${receiver.port}/`), post);
    assert.deepEqual([answer.status, asked], [200, 1]);
    await client.close();
  });
});

describe('a webhook whose target was public when it was created', () => {
  const setUrl = query<{ id: number; url: string }>((db, p) =>
    db.updateTable('webhooks').set({ url: p.url }).where('id', '=', p.id),
  );
  let id: number;
  before(async () => {
    const reply = await app.create({ url: 'https://receiver.invalid/hook', events: ['*'] });
    assert.equal(reply.status, 201, 'a name that is not known is accepted');
    id = reply.body.id;
    // Acts as if its host name now resolved to this machine.
    const url = `https://localhost:${port}/`;
    await app.app.site.database.transaction((tx) => tx.run(setUrl, { id, url }));
  });

  test('is refused by a test', async () => {
    const path = `/webhooks/${id}/test`;
    const reply = await app.app.call(path, { method: 'POST', key: app.admin });
    assert.equal(refusal(reply), '502 svc_api_delivery_failed');
    assert.equal(reply.body.message, 'The address of the receiver is not a public one.');
  });

  test('is refused by a delivery', async () => {
    await app.emit();
    const delivery = await app.attempts(id, 1);
    assert.equal(delivery.error, 'The address of the receiver is not a public one.');
    await app.change(id, { status: 'disabled' });
  });
});

describe('when private addresses are allowed', () => {
  test('this machine is reachable, also over HTTP; cloud metadata services never are', async () => {
    await app.app.set({ 'webhooks.allow_private': true });
    const urls: [string, number][] = [
      [`https://127.0.0.1:${port}/`, 201],
      [`http://localhost:${port}/`, 201],
      ['https://10.0.0.1/', 201],
      ['http://10.0.0.1/', 400],
      ['http://shop.invalid/', 400],
      ['https://169.254.169.254/', 400],
      ['https://[fe80::1]/', 400],
      ['https://0.0.0.0/', 400],
    ];
    for (const [url, status] of urls) {
      assert.equal((await app.create({ url, events: ['key.revoked'] })).status, status, url);
    }
    const said = app.app.logs.filter((line) => line.includes('webhooks.allow_private is ON'));
    assert.equal(said.length, 1);
    await app.app.set({ 'webhooks.allow_private': false });
  });

  test('a webhook created then gets no deliveries once they are no longer allowed', async () => {
    const { body } = await app.app.call('/webhooks?per_page=100', { key: app.admin });
    for (const { id, url } of body as { id: number; url: string }[]) {
      if (!/127\.0\.0\.1|localhost/.test(url)) continue;
      const path = `/webhooks/${id}/test`;
      const reply = await app.app.call(path, { method: 'POST', key: app.admin });
      assert.equal(refusal(reply), '502 svc_api_delivery_failed');
    }
  });
});
