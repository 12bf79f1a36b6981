import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../postgres/databases.ts';
import { openTestApp } from '../support/harness.ts';
import { fc } from '../support/seeded-random.ts';
import { disturbances, disturbed, sentOf, type Sent } from './disturbances.ts';
import { countingHistory, importedHistory, type Setup } from './history.ts';
import { World } from './world.ts';

/**
 * What an order means is decided when it counts, from what has counted until then. These properties know no rule of the
 * program: they play a history twice, among affiliates, coupons and customers of its own each time, and compare
 * everything that the service says about it. `DECIDED_HISTORIES=2000` plays more.
 */
const RUNS = Number(process.env['DECIDED_HISTORIES'] ?? (testServer() === undefined ? 15 : 6));

const app = await openTestApp({ settings: { 'attribution.cookie_days': 365 } });
const key = await app.key('admin', 'read,write,manage');

async function twoWorlds(
  setup: Setup,
  play: (first: World, second: World) => Promise<number[]>,
): Promise<void> {
  await app.set(setup.settings);
  const first = await World.create(app, key, setup);
  const second = await World.create(app, key, setup);
  try {
    const orders = await play(first, second);
    assert.deepEqual(await second.read(orders), await first.read(orders));
  } finally {
    await first.end();
    await second.end();
  }
}

test('unpaid, repeated and outdated versions around those that count change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      countingHistory,
      disturbances,
      fc.boolean(),
      async ({ setup, versions }, around, says) => {
        await twoWorlds(setup, async (first, second) => {
          for (const sent of sentOf(versions, says)) await first.put(sent);
          for (const sent of disturbed(versions, around, says)) await second.put(sent);
          return [...new Set(versions.map(({ order }) => order))];
        });
      },
    ),
    { numRuns: RUNS },
  );
});

/** How orders come at once: by one request, or as the files of an import; also twice, or older versions after them. */
const ways = fc.record({
  by: fc.constantFrom('putTogether' as const, 'importFiles' as const),
  again: fc.constantFrom('nothing', 'same', 'outdated'),
});

test('orders that come at once give the same in any order as oldest first', async () => {
  await fc.assert(
    fc.asyncProperty(importedHistory, ways, async ({ setup, versions, keys }, { by, again }) => {
      const sent = sentOf(versions, again === 'outdated');
      const at = ({ content, order }: Sent) => content.day * 1_440 + content.minute + order / 100;
      await twoWorlds(setup, async (first, second) => {
        for (const one of sent.toSorted((a, b) => at(a) - at(b))) await first.put(one);
        const any = sent.toSorted((a, b) => keys[a.order]! - keys[b.order]!);
        await second[by](any);
        if (again === 'same') await second[by](any.toReversed());
        if (again === 'outdated') await second[by](any.map(outdated));
        return versions.map(({ order }) => order);
      });
    }),
    { numRuns: RUNS },
  );
});

/** What the store said before. */
function outdated(sent: Sent): Sent {
  const content = { ...sent.content, codes: [0], total: 1_000, link: null };
  const status = sent.status === 'completed' ? 'pending' : 'completed';
  return { ...sent, content, status, modified: sent.modified! - 5 };
}

test('the books agree', async () => {
  const { body } = await app.call('/svc/store/v1/ledger/verify', { key });
  assert.deepEqual(body.differences, []);
});
