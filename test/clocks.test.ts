import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { takeFromRecordingLimit } from '../src/modules/clicks/recording-limit.ts';
import { takeFromFormLimit } from '../src/modules/registrations/submit-application-form.ts';
import { openTestApp, refusal, type CallOptions, type TestApp } from './support/harness.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Ways in which a system clock is set wrong and corrected later. */
const jumps: [string, number][] = [
  ['an hour ahead and back', HOUR_MS],
  ['an hour back and ahead again', -HOUR_MS],
];

for (const [name, jumpMs] of jumps) {
  describe(`a system clock that is set ${name}`, () => {
    describe('limits and caches in memory', () => inMemory(jumpMs));
  });
}

/** Runs `work` while the clock is wrong. */
async function whileWrong<T>(app: TestApp, jumpMs: number, work: () => T | Promise<T>): Promise<T> {
  app.setClock(jumpMs);
  try {
    return await work();
  } finally {
    app.setClock(-jumpMs);
  }
}

function inMemory(jumpMs: number): void {
  test('the rate limit of an identity lasts a minute', async () => {
    const app = await openTestApp({ settings: { 'api.rate_per_minute': 5 } });
    const key = await app.key('maya', 'read');
    const statuses = async (times: number) => {
      const replies = [];
      for (let i = 0; i < times; i++) replies.push((await app.call('/me', { key })).status);
      return replies;
    };
    const all = [200, 200, 200, 200, 200, 429];
    assert.deepEqual(await whileWrong(app, jumpMs, () => statuses(6)), all);
    assert.deepEqual(await statuses(1), [429], 'setting the clock does not end the window');
    app.advance(MINUTE_MS);
    assert.deepEqual(await statuses(6), all);
  });

  test('the first lock-out lasts a minute', async () => {
    const app = await openTestApp();
    const key = await app.key('maya', 'read');
    const from = (options: CallOptions) =>
      app.call('/me', { ...options, headers: { 'x-forwarded-for': '192.0.2.1' } });
    await whileWrong(app, jumpMs, async () => {
      for (let i = 0; i < 10; i++) await from({ key: 'bad' });
    });
    assert.equal(refusal(await from({ key })), '429 svc_api_too_many_auth_failures');
    app.advance(MINUTE_MS);
    assert.equal((await from({ key })).status, 200);
  });

  test('the limits of recorded clicks and of the application form last a minute', async () => {
    const app = await openTestApp();
    const visit = { network: '192.0.2.1', visitor: 'v', couponId: 1 };
    const takes = [
      { take: () => takeFromRecordingLimit(app.site, visit), limit: 60 },
      { take: () => takeFromFormLimit(app.site, '192.0.2.1'), limit: 10 },
    ];
    for (const { take, limit } of takes) {
      await whileWrong(app, jumpMs, async () => {
        for (let i = 0; i < limit; i++) assert.equal(await take(), true);
      });
      assert.equal(await take(), false);
    }
    app.advance(MINUTE_MS);
    await app.call('~/healthz');
    for (const { take } of takes) assert.equal(await take(), true);
  });

  test('a report is cached for five minutes at most', async () => {
    const app = await openTestApp();
    const key = await app.key('admin', 'read');
    const report = async () => (await app.call('/reports/summary', { key })).body;
    await whileWrong(app, jumpMs, report);
    app.advance(5 * MINUTE_MS);
    const { generated, cached } = await report();
    assert.equal(cached, false);
    const madeMs = app.site.calendar.fromLocal(generated);
    assert.ok(Math.abs(madeMs - app.site.clock()) < HOUR_MS / 2, generated);
  });
}
