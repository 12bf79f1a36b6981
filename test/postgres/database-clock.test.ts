import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { DatabaseClock } from '../../src/db/database-clock.ts';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { openTestApp } from '../support/harness.ts';
import { testServer } from './databases.ts';

const HOUR_MS = 60 * 60_000;

if (testServer() !== undefined) {
  const { app: first, databaseUrl } = await openTestApp();
  /** The server of the tests is on this machine. */
  const isRight = (nowMs: number, rightMs: number) => Math.abs(nowMs - rightMs) < HOUR_MS / 2;

  test('instances go by the clock of the database server, whatever their own says', async () => {
    const realMs = Date.now();
    for (const jumpMs of [HOUR_MS, -HOUR_MS]) {
      const wrong = mock.method(Date, 'now', () => realMs + jumpMs);
      const flags = { data: first.folder.path, databaseUrl, tls: 'off', port: '0' } as const;
      const { config } = resolveConfig(flags, {});
      const app = await openApp({ config, log: pino({ level: 'silent' }) });
      assert.ok(isRight(app.site.clock(), realMs));
      wrong.mock.restore();
      assert.ok(isRight(app.site.clock(), realMs));
      await app.close();
    }
  });

  test('the clock is read again, and an answer that took too long is not believed', async () => {
    const database = await openPostgres(databaseUrl);
    const clock = await DatabaseClock.follow(database);
    const before = clock.read();
    await clock.adjust({ tripMaxMs: -1 });
    assert.ok(clock.read() >= before);
    await clock.adjust({ tripMaxMs: Infinity });
    assert.ok(isRight(clock.read(), Date.now()));
    assert.ok(Number.isInteger(clock.read()));
    clock.stop();
    await database.close();
  });
}
