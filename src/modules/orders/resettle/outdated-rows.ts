import { sql, type RawBuilder } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { readAll, readFirst, write } from '../../../db/statements/calls.ts';
import { only } from '../../../db/statements/row-query.ts';
import { insertRows, jsonList } from '../../../db/statements/rows-query.ts';
import type { RowOf } from '../../../db/tables.ts';

/** Whether a referral counts although its status does not, or vice versa. `statuses` is a JSON array. */
export function isOutdated(dialect: Dialect, statuses: unknown): RawBuilder<boolean> {
  const counts = dialect.inJsonArray('referrals.status', statuses, 'text');
  return sql<boolean>`dropped = 0 and counted <> case when ${counts} then 1 else 0 end`;
}

/** Of these orders, those that count now and were never decided, and those with an outdated referral. */
const outdatedAmong = readAll<{ ids: string; statuses: string }, { order_id: number }>(
  (db, p, _given, dialect) => {
    const counts = dialect.inJsonArray('orders.status', p.statuses, 'text');
    const statement = sql<{ order_id: number }>`
      select order_id from orders
      where ${dialect.inJsonArray('orders.order_id', p.ids, 'number')}
        and ((decided_at is null and ${counts} and not exists
            (select 1 from waiting_orders where waiting_orders.order_id = orders.order_id))
          or exists (select 1 from referrals
            where referrals.order_id = orders.order_id and ${isOutdated(dialect, p.statuses)}))
      order by placed_at, order_id`;
    return { compile: () => statement.compile(db) };
  },
);

/** They are in the order in which they were placed. */
export async function findOutdated(
  db: Reader,
  ids: readonly number[],
  statuses: readonly string[],
): Promise<number[]> {
  const params = { ids: jsonList(ids), statuses: JSON.stringify(statuses) };
  return (await outdatedAmong(db, params)).map(({ order_id }) => order_id);
}

/** Before all orders. */
export const BEGINNING = Number.MIN_SAFE_INTEGER;

/** Which statuses are being applied, and up to which order. */
export type AppliedStatuses = Omit<RowOf<'applied_statuses'>, 'name'>;

const NAME = 'orders';

export const findApplied = readFirst<object, AppliedStatuses>((db) =>
  db.selectFrom('applied_statuses').selectAll().where('name', '=', sql.lit(NAME)),
);

const upsertApplied = insertRows<RowOf<'applied_statuses'>>('applied_statuses', {
  on: ['name'],
  keep: [],
});

export function beginApplying(tx: Transaction, statuses: string): Promise<void> {
  const progress = { position: BEGINNING, position_order: 0, changed: 0, finished_at: null };
  return tx.runMany(upsertApplied, [{ name: NAME, statuses, ...progress }]);
}

/** Only while the same statuses are applied: another process may have started with others. */
export const saveProgress = write<AppliedStatuses>((db, p) =>
  db
    .updateTable('applied_statuses')
    .set(only(p, ['position', 'position_order', 'changed', 'finished_at']))
    .where('name', '=', sql.lit(NAME))
    .where('statuses', '=', p.statuses),
);
