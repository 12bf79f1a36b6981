import type { Transaction } from '../../../src/db/database.ts';
import { insertOne, readAll, readFirst, write } from '../../../src/db/statements/calls.ts';
import { findIn, saveIn } from '../../../src/db/statements/plain-calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { RowOf } from '../../../src/db/tables.ts';

export type ApprovalRow = RowOf<'store_approvals'>;

type NewApproval = Pick<
  ApprovalRow,
  'kind' | 'name' | 'url' | 'replaces' | 'is_another' | 'state_hash' | 'created_at' | 'expires_at'
>;

export const insertApproval = insertOne<NewApproval, ApprovalRow>((db, row) =>
  db.insertInto('store_approvals').values(row).returningAll(),
);

export const findApproval = findIn('store_approvals', 'id');

/** The approval with this state that has neither expired nor been answered: only the first credentials count. */
export const findOpenApproval = readFirst<
  { kind: string; state_hash: string; now: number },
  ApprovalRow
>((db, p) =>
  db
    .selectFrom('store_approvals')
    .selectAll()
    .where('state_hash', '=', p.state_hash)
    .where('kind', '=', p.kind)
    .where('connection_id', 'is', null)
    .where('expires_at', '>', p.now),
);

export const answerApproval = saveIn(
  'store_approvals',
  ['connection_id', 'access', 'due_at'],
  'id',
);

export const listDueApprovals = readAll<{ now: number }, ApprovalRow>((db, p) =>
  db.selectFrom('store_approvals').selectAll().where('due_at', '<=', p.now).orderBy('id').limit(10),
);

const finish = query<{ id: number; attempts: number; report: string }>((db, p) =>
  db
    .updateTable('store_approvals')
    .set({ attempts: p.attempts, report: p.report, access: '', due_at: null })
    .where('id', '=', p.id),
);

export const scheduleApproval = saveIn(
  'store_approvals',
  ['attempts', 'due_at', 'access', 'report'],
  'id',
);

export const pruneApprovals = write<{ before: number }>((db, p) =>
  db.deleteFrom('store_approvals').where('expires_at', '<', p.before).where('due_at', 'is', null),
);

/** What the call of the store has found. */
interface ApprovalReport {
  readonly steps: readonly string[];
  readonly warnings: readonly string[];
  /** Why new access to a store that was connected already is not accepted; empty otherwise. */
  readonly refusal?: string;
}

/** The store has accepted its credentials. */
export async function finishApproval(
  tx: Transaction,
  { id, attempts, report }: { id: number; attempts: number; report: ApprovalReport },
): Promise<void> {
  await tx.run(finish, { id, attempts, report: JSON.stringify(report) });
}

export function reportOf({ report }: ApprovalRow): Required<ApprovalReport> {
  // It was stored when the store was called; empty before.
  return {
    steps: [],
    warnings: [],
    refusal: '',
    ...(JSON.parse(report) as Partial<ApprovalReport>),
  };
}
