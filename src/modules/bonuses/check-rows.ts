import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows, jsonList } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';

export type Check = RowOf<'bonus_checks'>;
type NewCheck = Omit<Check, 'id'>;

const insert = insertRows<NewCheck>('bonus_checks');

class PendingChecks implements PendingWrites {
  readonly #checks = new Map<string, NewCheck>();

  add(check: NewCheck): void {
    this.#checks.set(Object.values(check).join(' '), check);
  }

  flush(tx: Transaction): Promise<void> {
    return tx.runMany(insert, [...this.#checks.values()]);
  }
}

const checks = defineWrites({
  name: 'bonus-checks',
  after: 'referrals',
  create: () => new PendingChecks(),
});

/**
 * Adds work for the job. Each transaction adds rows of its own and changes none: a row that the job is about to delete
 * would not cover what this transaction has changed.
 */
export function addCheck(tx: Transaction, check: NewCheck): void {
  tx.pending(checks).add(check);
}

export const listDueChecks = readAll<{ now: number; limit: number }, Check>((db, p) =>
  db
    .selectFrom('bonus_checks')
    .selectAll()
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

/** What waits for the end of a window, for some affiliates. */
export const listLaterChecks = readAll<
  { user_ids: string; now: number },
  Pick<Check, 'object_id' | 'day' | 'due_at'>
>((db, p, _given, dialect) =>
  db
    .selectFrom('bonus_checks')
    .select(['object_id', 'day', 'due_at'])
    .where(dialect.inJsonArray('object_id', p.user_ids, 'number'))
    .where('due_at', '>', p.now)
    .where('kind', '=', sql.lit('affiliate')),
);

const deleteRows = query<{ ids: string }>((db, p, _given, dialect) =>
  db.deleteFrom('bonus_checks').where(dialect.inJsonArray('id', p.ids, 'number')),
);

export function deleteChecks(tx: Transaction, done: readonly Check[]): Promise<number> {
  return tx.run(deleteRows, { ids: jsonList(done.map(({ id }) => id)) });
}

interface Member {
  user_id: number;
  status: string;
  registered_at: number;
}

/** Affiliates as far as they have a record; administrators with a coupon have none. */
export const affiliatesOf = byNumber<Member>((db, isKey) =>
  db
    .selectFrom('affiliates')
    .select(['user_id', 'status', 'registered_at'])
    .where(isKey('user_id')),
);
