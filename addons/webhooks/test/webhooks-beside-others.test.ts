import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { Transaction, TransactionOptions } from '../../../src/db/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { openWebhookApp } from './webhook-app.ts';

const WEBHOOKS = 40;
const EVENTS = 8;

/** Calls of a transaction, without locks, and the most rows of one. */
interface Use {
  calls: number;
  rows: number;
  updates: number;
  background: boolean;
}

const STATEMENTS = new Set(['all', 'allByKeys', 'first', 'run', 'runMany', 'updateMany']);

/** Counts what a transaction calls. */
function counted(tx: Transaction, use: Use): Transaction {
  return new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (STATEMENTS.has(String(name))) use.calls += 1;
        if (name === 'updateMany') use.updates += 1;
        if (Array.isArray(given[1])) use.rows = Math.max(use.rows, given[1].length);
        return value.apply(target, given) as unknown;
      };
    },
  });
}

test('a fan-out to many webhooks delays no other work for long', async () => {
  const app = await openWebhookApp({ settings: { 'webhooks.max': 500 } });
  const receiver = await new Receiver().listen();
  // Answers come together, as from receivers that are all as fast.
  const waiting: (() => void)[] = [];
  receiver.answer = (_, response) => waiting.push(() => response.end());
  const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 20);
  for (let i = 0; i < WEBHOOKS; i++) await app.webhook(`${receiver.url}/${i}`);
  const { database } = app.app.site;
  const uses: Use[] = [];
  const transaction = database.transaction.bind(database);
  database.transaction = (work, options: TransactionOptions = {}) => {
    const use = { calls: 0, rows: 0, updates: 0, background: options.background ?? false };
    uses.push(use);
    return transaction((tx) => work(counted(tx, use)), options);
  };
  let [turn, isOver] = [0, false];
  const nextTurn = () => {
    turn += 1;
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const startsOf = new Map<number, number>();
  subscribe('undici:request:create', () => startsOf.set(turn, (startsOf.get(turn) ?? 0) + 1));

  await app.emit(EVENTS);
  uses.length = 0;
  await app.sendDue();
  await eventually(() => assert.equal(receiver.received.length, WEBHOOKS * EVENTS));
  isOver = true;
  clearInterval(answering);

  const inATurn = Math.max(...startsOf.values());
  // Two turns of the queue can be within one that is counted here.
  assert.ok(inATurn <= 2 * 8, `${inATurn} attempts started in one turn of the event loop`);
  const most = (all: readonly Use[], key: 'calls' | 'rows') =>
    Math.max(...all.map((use) => use[key]));
  const recording = uses.filter(({ updates }) => updates > 0);
  assert.ok(recording.length > 0);
  assert.ok(most(recording, 'rows') <= 128, `${most(recording, 'rows')} rows in one statement`);
  assert.ok(
    most(recording, 'calls') <= 8,
    `${most(recording, 'calls')} statements to record results`,
  );
  assert.deepEqual(
    uses.filter(({ background, calls }) => !background && calls > 1),
    [],
    'others go first',
  );
});
