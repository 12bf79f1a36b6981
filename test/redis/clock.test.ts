import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { refusal, type CallOptions, type TestApp } from '../support/harness.ts';
import { openFirst, serveBeside } from './instances.ts';
import { testRedis } from './server.ts';
import { moveTime } from './time.ts';

const HOUR_MS = 60 * 60_000;
const LOCKED = '429 svc_api_too_many_auth_failures';
const redis = testRedis();

if (redis !== undefined) {
  describe('the clock of Redis is set back by an hour', () => {
    /** What was written before ends an hour later by the new time. */
    const setBack = (app: TestApp) => moveTime(redis, app.site.keyring, -HOUR_MS);

    test('a window that is longer than a minute is over', async () => {
      const app = await openFirst({ settings: { 'api.rate_per_minute': 5 } });
      const key = await app.key('maya', 'read');
      const allowed = async (at: TestApp) => {
        let count = 0;
        for (let i = 0; i < 7; i++) {
          const { status, headers } = await at.call('/me', { key });
          if (status === 200) count += 1;
          const seconds = /t=(\d+)/.exec(headers.get('ratelimit')!)![1];
          assert.ok(Number(seconds) <= 60, String(seconds));
        }
        return count;
      };
      assert.equal(await allowed(app), 5);
      await setBack(app);
      assert.equal(await allowed(await serveBeside(app)), 5);
    });

    test('a lock ends when its wait is over, and an instance that starts takes over no longer one', async () => {
      const app = await openFirst();
      const key = await app.key('maya', 'read');
      const from = (at: TestApp, options: CallOptions) =>
        at.call('/me', { ...options, headers: { 'x-forwarded-for': '192.0.2.1' } });
      for (let i = 0; i < 10; i++) await from(app, { key: 'bad' });
      assert.equal(refusal(await from(app, { key })), LOCKED);
      await setBack(app);
      const late = await serveBeside(app);
      assert.equal((await from(late, { key })).status, 200);
      // Failures of the future are forgotten, and ten new ones lock for as long as the rules say.
      for (let i = 0; i < 10; i++) await from(late, { key: 'bad' });
      await eventually(async () => assert.equal(refusal(await from(late, { key })), LOCKED));
      const { retry_after } = (await from(late, { key })).body.data;
      assert.ok(retry_after <= 120, String(retry_after));
    });
  });
}
