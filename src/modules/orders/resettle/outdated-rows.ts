import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { readFirst, write } from '../../../db/statements/calls.ts';
import { query } from '../../../db/statements/query.ts';

/** One statement takes a millisecond or two. */
const REFERRALS_AT_ONCE = 1_000;

/** Whether a referral counts although its status does not, or vice versa. `statuses` is a JSON array. */
export function isOutdated(dialect: Dialect, statuses: unknown): RawBuilder<boolean> {
  const counts = dialect.inJsonArray('status', statuses, 'text');
  return sql<boolean>`dropped = 0 and counted <> case when ${counts} then 1 else 0 end`;
}

const pieceEnd = query<{ after: number }, { order_id: number }>((db, p) =>
  db
    .selectFrom('referrals')
    .select('order_id')
    .where('order_id', '>', p.after)
    .orderBy('order_id')
    .limit(sql.lit(1))
    .offset(sql.lit(REFERRALS_AT_ONCE - 1)),
);

const outdatedBetween = query<
  { after: number; last: number; statuses: string },
  { order_id: number }
>((db, p, _given, dialect) =>
  db
    .selectFrom('referrals')
    .select('order_id')
    .distinct()
    .where('order_id', '>', p.after)
    .where('order_id', '<=', p.last)
    .where(isOutdated(dialect, p.statuses))
    .orderBy('order_id'),
);

/** The outdated orders among the next referrals, and the last order checked; undefined at the end. */
export async function nextOutdated(
  db: Reader,
  after: number,
  statuses: readonly string[],
): Promise<{ ids: number[]; last: number | undefined }> {
  const last = (await db.first(pieceEnd, { after }))?.order_id;
  const rows = await db.all(outdatedBetween, {
    after,
    last: last ?? Number.MAX_SAFE_INTEGER,
    statuses: JSON.stringify(statuses),
  });
  return { ids: rows.map(({ order_id }) => order_id), last };
}

/** Which statuses are being applied, and up to which order. */
export interface AppliedStatuses {
  statuses: string;
  position: number;
  changed: number;
  finished_at: number | null;
}

const NAME = 'orders';

export const findApplied = readFirst<object, AppliedStatuses>((db) =>
  db
    .selectFrom('applied_statuses')
    .select(['statuses', 'position', 'changed', 'finished_at'])
    .where('name', '=', sql.lit(NAME)),
);

export const beginApplying = write<{ statuses: string }>((db, p) => {
  const values = { statuses: p.statuses, position: 0, changed: 0, finished_at: null };
  return db
    .insertInto('applied_statuses')
    .values({ name: NAME, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values));
});

/** Only while the same statuses are applied: another process may have started with others. */
export const saveProgress = write<AppliedStatuses>((db, p) =>
  db
    .updateTable('applied_statuses')
    .set({ position: p.position, changed: p.changed, finished_at: p.finished_at })
    .where('name', '=', sql.lit(NAME))
    .where('statuses', '=', p.statuses),
);
