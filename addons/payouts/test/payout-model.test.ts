import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { prepare } from '../../../test/models/installation.ts';
import { testServer } from '../../../test/postgres/databases.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { anyCommand } from './payout-model/commands.ts';
import { done, Play } from './payout-model/play.ts';

/**
 * Random histories of orders, adjustments, payouts, misbehaving gateways, crashes and concurrent commands, compared
 * after every step with a reference model that only adds up. A failure prints its seed and the shortest history that
 * reproduces it.
 */
const { TRIBUTARY_MODEL_COMMANDS, TRIBUTARY_MODEL_SEED } = process.env;
/** Fewer on PostgreSQL, where each command is several round trips and copying a database takes longer. */
const COMMANDS = Number(TRIBUTARY_MODEL_COMMANDS ?? (testServer() === undefined ? 2_500 : 1_000));
const SEED = Number(TRIBUTARY_MODEL_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const HISTORIES_AT_ONCE = 3;
/** The limit for shrinking a failure. Without one, three histories take less even on a busy machine. */
const PART_MAX_MS = 120_000;

const prepared = await prepare();
after(() => prepared.place.remove());

const history = fc.array(anyCommand, { minLength: 1, maxLength: 150, size: 'max' });

test(`${COMMANDS} commands: the pools, the feed and the gateway agree after each of them`, async (t) => {
  const actions = ['order', 'adjust', 'request', 'change', 'follow-up', 'crash', 'payment'];
  const others = ['set', 'details'];
  const played = () =>
    [...actions, ...others].reduce((sum, action) => sum + (done.get(action) ?? 0), 0);
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
      { seed: SEED + part, numRuns: HISTORIES_AT_ONCE, interruptAfterTimeLimit: PART_MAX_MS },
    );
  }
  t.diagnostic(`${played()} commands`);
  for (const [what, times] of [...done].sort()) t.diagnostic(`${what}: ${times}`);
  for (const action of [...actions, 'together', 'crash in the middle', 'ended below zero']) {
    assert.ok((done.get(action) ?? 0) > COMMANDS / 1_000, `hardly any ${action}`);
  }
});
