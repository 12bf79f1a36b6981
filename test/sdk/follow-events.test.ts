import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Tributary } from '../../sdk/src/index.ts';
import { serveBeside } from '../postgres/serve-beside.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { clientOf } from './test-client.ts';

let closeRestarted = async () => {};
// Registered before the hook that drops the database.
after(() => closeRestarted());
const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const keyOfAffiliate = await app.key('maya', 'read');

async function stopService(): Promise<void> {
  app.server.closeAllConnections();
  await app.app.close();
  // The harness would close it a second time.
  app.app.close = async () => {};
}

/** Follows the feed in the background. */
function follow(client: Tributary, after_: number, signal: AbortSignal) {
  const seen: number[] = [];
  const stored: number[] = [];
  const ended = (async () => {
    const options = {
      after: after_,
      signal,
      every: 10,
      onCursor: (at: number) => void stored.push(at),
    };
    for await (const event of client.events.follow({ ...options, event: 'coupon.created' })) {
      seen.push(event.object_id);
    }
  })();
  return { seen, stored, ended };
}

test('the feed is followed across a restart of the service, and again from its cursor', async () => {
  const client = clientOf(app, { key, retries: 0 });
  const first = await client.coupons.create({ code: 'FIRST' });
  const ending = new AbortController();
  const following = follow(client, 0, ending.signal);
  await eventually(() => assert.deepEqual(following.seen, [first.id]));

  await stopService();
  await assert.rejects(client.me.get(), { name: 'ConnectionError' });
  const restarted = await serveBeside(app, { port: new URL(app.url).port });
  closeRestarted = restarted.close;
  const second = await client.coupons.create({ code: 'SECOND' });
  await client.groups.create({ name: 'Of another kind' });
  await eventually(() => assert.deepEqual(following.seen, [first.id, second.id]));
  const { cursor: head } = await client.events.list({ per_page: 1 });
  await eventually(() => assert.equal(following.stored.at(-1), head));
  ending.abort();
  await following.ended;

  const third = await client.coupons.create({ code: 'THIRD' });
  const again = new AbortController();
  const resumed = follow(client, following.stored.at(-1)!, again.signal);
  await eventually(() => assert.deepEqual(resumed.seen, [third.id]));
  again.abort();
  await resumed.ended;
});

test('an event that was not processed to its end comes again', async () => {
  const client = clientOf(app, { key });
  const stored: number[] = [];
  const options = {
    after: 0,
    event: 'coupon.created',
    onCursor: (at: number) => void stored.push(at),
  };
  const ids: number[] = [];
  for await (const event of client.events.follow(options)) {
    ids.push(event.id);
    if (ids.length === 2) break;
  }
  assert.deepEqual(stored, [ids[0]]);
});

test('without a position only new events come', async () => {
  const client = clientOf(app, { key });
  const stored: number[] = [];
  const feed = client.events.follow({ every: 10, onCursor: (at) => void stored.push(at) });
  const next = feed.next();
  await eventually(() => assert.equal(stored.length, 1));
  await client.coupons.create({ code: 'LATEST' });
  const { value } = await next;
  assert.equal(value!.event, 'coupon.created');
  await feed.return();
});

test('a refusal ends it', async () => {
  const stranger = clientOf(app, { key: keyOfAffiliate });
  await assert.rejects(stranger.events.follow().next(), { code: 'svc_api_forbidden' });
});
