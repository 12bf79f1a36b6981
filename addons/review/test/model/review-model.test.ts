import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { prepare } from '../../../../test/models/installation.ts';
import { testServer } from '../../../../test/postgres/databases.ts';
import { fc } from '../../../../test/support/seeded-random.ts';
import { anyCommand } from './commands.ts';
import { done, Play } from './play.ts';

/**
 * Random histories of suspicious and other orders, payouts, decisions, undone decisions, crashes and concurrent
 * commands: no payout is ever sent with commission of an open or rejected case, and once all cases are cleared, every
 * balance and statistic is that of a program in which they never were.
 */
const { TRIBUTARY_MODEL_COMMANDS, TEST_SEED } = process.env;
/** Fewer on PostgreSQL, where each command is several round trips and copying a database takes longer. */
const COMMANDS = Number(TRIBUTARY_MODEL_COMMANDS ?? (testServer() === undefined ? 1_500 : 300));
const SEED = Number(TEST_SEED ?? 1);
/** The limit for shrinking a failure. Without one, a history takes less even on a busy machine. */
const PART_MAX_MS = 120_000;

const prepared = await prepare();
after(() => prepared.place.remove());

const history = fc.array(anyCommand, { minLength: 1, maxLength: 100, size: 'max' });

test(`${COMMANDS} commands: commission in review is never paid out, and cleared it is as if never found`, async (t) => {
  const actions = ['order', 'request', 'change', 'decide', 'reopen'];
  const played = () => actions.reduce((sum, action) => sum + (done.get(action) ?? 0), 0);
  for (let part = 0; played() < COMMANDS; part += 1) {
    await fc.assert(
      fc.asyncProperty(history, async (commands) => {
        const play = await Play.open(prepared);
        try {
          for (const command of commands) await play.play(command);
          await play.settle();
        } finally {
          await play.close();
        }
      }),
      { seed: SEED + part, numRuns: 3, interruptAfterTimeLimit: PART_MAX_MS },
    );
  }
  t.diagnostic(`${played()} commands`);
  for (const [what, times] of [...done].sort()) t.diagnostic(`${what}: ${times}`);
  const seen = ['together', 'crash', 'sent', 'cleared', 'found in an open payout'];
  for (const action of [...actions, ...seen]) {
    assert.ok((done.get(action) ?? 0) > 0, `no ${action}`);
  }
});
