import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../test/support/feed-head.ts';
import { openTestApp, type TestApp } from '../../test/support/harness.ts';
import { HOUR_MS } from '../shared/durations.ts';
import { warnOfWrongClock } from './clock-check.ts';

async function linesAfter(app: TestApp, byMs: number) {
  app.setClock(byMs);
  await warnOfWrongClock(app.site);
  app.setClock(-byMs);
  return app.logs
    .filter((line) => line.includes('the clock is far behind'))
    .map((line) => JSON.parse(line));
}

describe('a clock at the start', () => {
  test('that was reset to 1970 is logged with instructions', async () => {
    const app = await openTestApp();
    await app.key('admin', 'read');
    // On a server events are put in order first.
    await feedHead(app.site);
    const [line] = await linesAfter(app, -app.site.clock());
    assert.equal(line.level, 50);
    assert.match(line.msg, /Set it \(timedatectl set-ntp true\) and restart/);
    assert.equal(line.now, '1970-01-01T00:00:00.000Z');
    assert.ok(line.hours > 24 * 365 * 50);
  });

  test('that is two hours behind is logged; one that is some minutes behind, or ahead, is not', async () => {
    const app = await openTestApp();
    await app.key('admin', 'read');
    // On a server events are put in order first.
    await feedHead(app.site);
    assert.deepEqual(await linesAfter(app, -HOUR_MS / 2), []);
    assert.deepEqual(await linesAfter(app, 1000 * HOUR_MS), []);
    assert.equal((await linesAfter(app, -2 * HOUR_MS)).length, 1);
  });

  test('is not judged by an empty feed', async () => {
    const app = await openTestApp();
    assert.deepEqual(await linesAfter(app, 0), []);
  });
});
