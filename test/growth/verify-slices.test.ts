import assert from 'node:assert/strict';
import { StatementSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import { ROWS_AT_ONCE } from '../../src/modules/ledger/index.ts';
import { FIRST } from './fill-kit.ts';
import { FEW_ROWS } from './fill.ts';
import { FilledStore, STORE } from './filled-store.ts';
import { counting } from './steps.ts';

const ROWS = 3 * FEW_ROWS;
/** A row that is visited takes a few instructions of SQLite for each of its columns. */
const STEPS_PER_ROW = 60;

/** The types of Node do not know the counters of a statement yet. */
interface Counted extends StatementSync {
  stat(counter: 'vmStep'): number;
}

/** For each run of a statement on this thread: how many rows it returned, and how many steps it took. */
async function runsOf(work: () => Promise<unknown>) {
  const runs: { sql: string; rows: number; steps: number }[] = [];
  // The overloads hide that it takes any values.
  const all = StatementSync.prototype.all as (...values: SQLInputValue[]) => unknown[];
  StatementSync.prototype.all = function counted(this: Counted, ...values: never[]) {
    const before = this.stat('vmStep');
    const rows = all.apply(this, values);
    runs.push({ sql: this.sourceSQL, rows: rows.length, steps: this.stat('vmStep') - before });
    return rows;
  } as typeof StatementSync.prototype.all;
  try {
    await work();
  } finally {
    StatementSync.prototype.all = all as typeof StatementSync.prototype.all;
  }
  return runs;
}

/** One statement is one turn of the event loop, in which no other request is answered. */
test(
  'no statement of a verification reads more than a slice, however much one coupon has',
  counting,
  async () => {
    const store = await FilledStore.open(ROWS, 0);
    // Nearly everything is of one coupon, as in a program with one large affiliate.
    store.db.exec(`
    drop trigger ledger_refuses_update;
    update ledger set coupon_id = ${FIRST};
    update payouts set coupon_id = ${FIRST}, user_id = ${FIRST};
  `);
    store.app.site.database.noticeForeignChange();
    const runs = await runsOf(async () => {
      const { status, body } = await store.call(`${STORE}/ledger/verify`, {});
      assert.equal(status, 200);
      assert.ok(body.entries >= ROWS && body.coupons >= ROWS);
    });
    const most = (what: 'rows' | 'steps') => runs.toSorted((a, b) => b[what] - a[what])[0]!;
    assert.ok(runs.length > (2 * ROWS) / ROWS_AT_ONCE);
    assert.ok(most('rows').rows <= ROWS_AT_ONCE, JSON.stringify(most('rows')));
    assert.ok(most('steps').steps <= STEPS_PER_ROW * ROWS_AT_ONCE, JSON.stringify(most('steps')));
  },
);
