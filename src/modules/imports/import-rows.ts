import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import {
  insertOne,
  readAll,
  readByNumbers,
  readFirst,
  write,
  writeFirst,
} from '../../db/statements/calls.ts';
import { removeFrom, saveIn } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { AddedRule } from '../rewards/index.ts';
import type { ImportState, LinkKind } from './tables.ts';

export type ImportRow = RowOf<'imports'>;
export type ImportLink = RowOf<'import_links'>;
export type NewImportLink = Omit<ImportLink, 'id'>;

type NewImport = Pick<ImportRow, 'system' | 'files' | 'digest' | 'run_by' | 'created_at'>;

export const createImport = insertOne<NewImport, ImportRow>((db, row) =>
  db
    .insertInto('imports')
    .values({ ...row, state: 'running', ended_at: null })
    .returningAll(),
);

/** An import of the same files that did not end. */
export const findInterrupted = readFirst<Pick<ImportRow, 'system' | 'digest'>, ImportRow>((db, p) =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('system', '=', p.system)
    .where('digest', '=', p.digest)
    .where('state', '=', 'running')
    .limit(1),
);

/** Locks the import until the transaction ends: two commands must not work on it at the same time. */
export const findImportToChange = writeFirst<{ id: number }, ImportRow>((db, p, _given, dialect) =>
  dialect.lockForUpdate(db.selectFrom('imports').selectAll().where('id', '=', p.id)),
);

export const listImports = readAll<object, ImportRow>((db) =>
  db.selectFrom('imports').selectAll().orderBy('id', 'desc'),
);

export const importList = pagedList(
  (db) => db.selectFrom('imports'),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

/** Imports that a user wants to be undone. There are few, so the table is read without an index. */
const undoing = query<object, { id: number }>((db) =>
  db
    .selectFrom('imports')
    .select('id')
    .where('state', '=', 'undoing')
    .where('undo_by', 'is not', null)
    .orderBy('id'),
);

/** Lets the job undo an import, or stops it with a reason. */
export const saveUndoRequest = write<{ id: number; undo_by: number | null; reason: string }>(
  (db, p) =>
    db.updateTable('imports').set({ undo_by: p.undo_by, reason: p.reason }).where('id', '=', p.id),
);

type Counts = Pick<ImportRow, 'affiliates' | 'coupons' | 'balance' | 'records' | 'rules' | 'kept'>;

const addCounts = updateRows<Counts & { id: number }>('imports', {
  key: ['id'],
  set: [],
  add: ['affiliates', 'coupons', 'balance', 'records', 'rules', 'kept'],
});

export const savePieces = saveIn('imports', ['pieces'], 'id');

const setState = query<{ id: number; state: ImportState; ended_at: number | null }>((db, p) =>
  db.updateTable('imports').set({ state: p.state, ended_at: p.ended_at }).where('id', '=', p.id),
);

const insertLinks = insertRows<NewImportLink>('import_links');

const insertRules = insertRows<Omit<RowOf<'import_rules'>, 'id'>>('import_rules');

/** The rules that an import has created. */
export const findRulesOf = readAll<{ import_id: number }, AddedRule>((db, p) =>
  db
    .selectFrom('import_rules')
    .select(['rule_id as id', 'version'])
    .where('import_id', '=', p.import_id)
    .orderBy('id'),
);

/** Forgets the rules of an import that is undone. */
export const forgetRulesOf = removeFrom('import_rules', 'import_id');

const linkedUser = query<Pick<ImportLink, 'system' | 'external_id'>, { user_id: number }>((db, p) =>
  db
    .selectFrom('import_links')
    .select('user_id')
    .where('system', '=', p.system)
    .where('kind', '=', sql.lit<LinkKind>('affiliate'))
    .where('external_id', '=', p.external_id)
    .orderBy('id')
    .limit(sql.lit(1)),
);

const addedSoFar = query<Pick<ImportLink, 'system' | 'user_id'>, { amount: number }>((db, p) =>
  db
    .selectFrom('import_links')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('amount'))
    .where('user_id', '=', p.user_id)
    .where('kind', '=', sql.lit<LinkKind>('balance'))
    .where('system', '=', p.system)
    .where('undone_entry_id', 'is', null),
);

/** Without balances that were taken back, and orders, whose links name the person that has imported them. */
export const findLinksOf = readByNumbers<ImportLink>((db, isKey) =>
  db
    .selectFrom('import_links')
    .selectAll()
    .where(isKey('user_id'))
    .where('kind', 'in', [
      sql.lit<LinkKind>('affiliate'),
      sql.lit<LinkKind>('code'),
      sql.lit<LinkKind>('balance'),
    ])
    .where('undone_entry_id', 'is', null)
    .orderBy('id'),
);

const usersOf = query<{ import_id: number }, { user_id: number }>((db, p) =>
  db
    .selectFrom('import_links')
    .select('user_id')
    .distinct()
    .where('import_id', '=', p.import_id)
    .where('kind', '<>', sql.lit<LinkKind>('order'))
    .where('undone_entry_id', 'is', null)
    .orderBy('user_id'),
);

/** Removes the links of an import, except balances that were taken back. */
export const removeLinksOf = write<{ import_id: number; user_id: number }>((db, p) =>
  db
    .deleteFrom('import_links')
    .where('import_id', '=', p.import_id)
    .where('user_id', '=', p.user_id)
    .where('undone_entry_id', 'is', null),
);

/** Orders that an import has created and an undo has not cancelled yet. */
export const findOrderLinks = readAll<{ import_id: number; limit: number }, ImportLink>((db, p) =>
  db
    .selectFrom('import_links')
    .selectAll()
    .where('import_id', '=', p.import_id)
    .where('kind', '=', sql.lit<LinkKind>('order'))
    .orderBy('id')
    .limit(p.limit),
);

/** Removes links of an import up to one of them. */
export const removeLinksUpTo = write<{ import_id: number; id: number }>((db, p) =>
  db.deleteFrom('import_links').where('import_id', '=', p.import_id).where('id', '<=', p.id),
);

/** Notes the ledger entry that took the balance of a link back. */
export const markTakenBack = write<{ id: number; entry_id: number }>((db, p) =>
  db.updateTable('import_links').set({ undone_entry_id: p.entry_id }).where('id', '=', p.id),
);

export async function listRequestedUndos(db: Reader): Promise<number[]> {
  return (await db.all(undoing, {})).map(({ id }) => id);
}

export async function saveImportState(
  tx: Transaction,
  id: number,
  state: ImportState,
  endedAt: number | null,
): Promise<void> {
  await tx.run(setState, { id, state, ended_at: endedAt });
}

/** Adds to the counts of an import. */
export async function countOnImport(
  tx: Transaction,
  id: number,
  counts: Partial<Counts>,
): Promise<void> {
  const none = { affiliates: 0, coupons: 0, balance: 0, records: 0, rules: 0, kept: 0 };
  await tx.runMany(addCounts, [{ ...none, ...counts, id }]);
}

export async function addLinks(
  tx: Transaction,
  importId: number,
  links: readonly NewImportLink[],
): Promise<void> {
  await tx.runMany(insertLinks, links);
  const created = links.filter((link) => link.created === 1);
  await countOnImport(tx, importId, {
    affiliates: created.filter(({ kind }) => kind === 'affiliate').length,
    coupons: created.filter(({ kind }) => kind === 'code').length,
    balance: links.reduce((sum, { amount }) => sum + amount, 0),
  });
}

/** Notes the rules that an import has created. */
export async function noteRules(
  tx: Transaction,
  import_id: number,
  rules: readonly AddedRule[],
): Promise<void> {
  const rows = rules.map(({ id, version }) => ({ import_id, rule_id: id, version }));
  await tx.runMany(insertRules, rows);
  await countOnImport(tx, import_id, { rules: rows.length });
}

/** The user that an earlier import has linked with this affiliate of the old system. */
export async function findLinkedUser(
  db: Reader,
  system: string,
  externalId: string,
): Promise<number | undefined> {
  return (await db.first(linkedUser, { system, external_id: externalId }))?.user_id;
}

/** What earlier imports from the system have added to the balance of a user. */
export async function sumAdded(db: Reader, system: string, userId: number): Promise<number> {
  return (await db.first(addedSoFar, { system, user_id: userId }))!.amount;
}

export async function findImportedUsers(db: Reader, importId: number): Promise<number[]> {
  return (await db.all(usersOf, { import_id: importId })).map(({ user_id }) => user_id);
}
