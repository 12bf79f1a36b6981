import { sql } from 'kysely';
import { readFirst, write } from '../../../db/statements/calls.ts';
import { only } from '../../../db/statements/row-query.ts';
import type { RowOf } from '../../../db/tables.ts';

export type ReportRun = Omit<RowOf<'report_mails'>, 'id'>;

const ROW = 1;
const columns = ['interval', 'done_to', 'run_to', 'after_user'] as const;

export const findReportRun = readFirst<object, ReportRun>((db) =>
  db.selectFrom('report_mails').select(columns).where('id', '=', sql.lit(ROW)),
);

export const saveReportRun = write<ReportRun>((db, p) => {
  const run = only(p, columns);
  return db
    .insertInto('report_mails')
    .values({ id: ROW, ...run })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(run));
});

export const removeReportRun = write<object>((db) => db.deleteFrom('report_mails'));
