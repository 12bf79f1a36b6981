import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invoke } from '../src/kernel/call/invoke.ts';
import { createCoupon } from '../src/modules/coupons/index.ts';
import { sendMails } from '../src/modules/mail/send-mails.ts';
import { createSetupLink } from '../src/modules/setup/index.ts';
import { idOf, openTestApp, type TestApp } from './support/harness.ts';
import { outbox } from './support/outbox.ts';
import { whileWrong } from './support/wrong-clock.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const STORE = '/svc/store/v1';

const execute = (app: TestApp, sql: string) =>
  app.site.database.transaction((tx) => tx.execute(sql));

for (const [name, jumpMs] of [
  ['an hour ahead and back', HOUR_MS],
  ['an hour back and ahead again', -HOUR_MS],
] as const) {
  describe(`times in the database, when the system clock is set ${name}`, () => stored(jumpMs));
}

function stored(jumpMs: number): void {
  test('a mail is sent, and retried when its wait or its lease ends', async () => {
    // No server listens on this port.
    const app = await openTestApp({
      config: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'us@test.example' },
    });
    const attempts = async () => (await outbox(app.site)).map((mail) => mail.attempts);
    const admin = await app.key('admin', 'write,manage');
    const json = { email: 'other@test.example' };
    const path = `${STORE}/affiliates/${idOf('maya')}`;
    const reply = await app.call(path, { method: 'PATCH', key: admin, json });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(await attempts(), [0]);
    await whileWrong(app, jumpMs, () => sendMails.run(app.site));
    assert.deepEqual(await attempts(), [1], 'the mail that was enqueued before');
    app.advance(5 * MINUTE_MS);
    await sendMails.run(app.site);
    assert.deepEqual(await attempts(), [2]);
  });

  test('statistics can be refreshed again after a minute', async () => {
    const app = await openTestApp();
    const key = await app.key('admin', 'read,write');
    const { id } = await invoke<{ id: number }>(app.site, createCoupon, { code: 'JUMP' });
    const refresh = async () =>
      (await app.call(`/coupons/${id}/stats?refresh=true`, { key })).body.source;
    assert.equal(await whileWrong(app, jumpMs, refresh), 'live');
    app.advance(MINUTE_MS);
    assert.equal(await refresh(), 'live');
  });

  for (const isKnown of [true, false]) {
    const where = isKnown ? 'in memory' : 'read again';
    test(`a session ends half an hour after it was last used, ${where}`, async () => {
      const app = await openTestApp();
      const session = await whileWrong(app, jumpMs, async () => {
        const opened = await app.signIn('maya');
        assert.equal((await app.call('/me', { session: opened })).status, 200);
        return opened;
      });
      if (jumpMs > 0) assert.equal((await app.call('/me', { session })).status, 200);
      app.advance(30 * MINUTE_MS);
      if (!isKnown) app.site.invalidateCaches();
      assert.equal((await app.call('/me', { session })).status, 401);
    });
  }

  test('a response is repeated under its Idempotency-Key for a day at most', async () => {
    const app = await openTestApp();
    const key = await app.key('admin', 'write,manage');
    const headers = { 'idempotency-key': 'once' };
    const create = () =>
      app.call(`${STORE}/groups`, { method: 'POST', key, headers, json: { name: 'A' } });
    assert.equal((await whileWrong(app, jumpMs, create)).status, 201);
    app.advance(24 * HOUR_MS);
    assert.equal(
      (await create()).status,
      409,
      'the second request runs; the first response is not repeated',
    );
  });

  test('a setup link is valid for half an hour at most', async () => {
    const app = await openTestApp();
    await execute(app, "update users set role = 'customer' where role = 'administrator'");
    const link = new URL(await whileWrong(app, jumpMs, () => createSetupLink(app.site)));
    const show = async () => (await app.call(`~/setup${link.search}`)).status;
    if (jumpMs > 0) assert.equal(await show(), 200, 'correcting the clock does not end a link');
    app.advance(30 * MINUTE_MS);
    assert.equal(await show(), 410);
  });

  test('the last use of a key is not in the future', async () => {
    const app = await openTestApp();
    const key = await app.key('admin', 'manage');
    const write = () =>
      app.site.registry.modules
        .flatMap((module) => module.jobs ?? [])
        .find((job) => job.name === 'keys.write-last-used')!
        .run(app.site);
    const use = async () => {
      await app.call('/keys', { key });
      await write();
    };
    await whileWrong(app, jumpMs, use);
    await use();
    const { body } = await app.call('/keys?per_page=1', { key });
    assert.equal(body[0].last_used, app.site.calendar.toLocal(app.site.clock()));
  });
}
