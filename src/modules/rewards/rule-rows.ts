import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { insertOne, readAll, write } from '../../db/statements/calls.ts';
import { updateRows } from '../../db/statements/rows-query.ts';
import type { RewardRule } from './rule.ts';
import type { RewardRulesTable } from './tables.ts';

type RuleRow = Selectable<RewardRulesTable>;

const readRows = readAll<object, RuleRow>((db) =>
  db.selectFrom('reward_rules').selectAll().orderBy('position').orderBy('id'),
);

const insert = insertOne<Omit<RuleRow, 'id'>, { id: number }>((db, row) =>
  db.insertInto('reward_rules').values(row).returning('id'),
);

const update = write<Pick<RuleRow, 'id' | 'content' | 'version' | 'updated_at'>>((db, p) =>
  db
    .updateTable('reward_rules')
    .set({ content: p.content, version: p.version, updated_at: p.updated_at })
    .where('id', '=', p.id),
);

const place = updateRows<Pick<RuleRow, 'id' | 'position'>>('reward_rules', {
  key: ['id'],
  set: ['position'],
});

export const deleteRuleRow = write<{ id: number }>((db, p) =>
  db.deleteFrom('reward_rules').where('id', '=', p.id),
);

/** A rule as it is stored. Positions rise, with gaps where a rule was deleted. */
export interface StoredRule {
  readonly rule: RewardRule;
  readonly position: number;
  readonly version: number;
}

/** All rules, in their order. */
export async function readStoredRules(db: Reader): Promise<StoredRule[]> {
  const rows = await readRows(db);
  return rows.map(({ id, content, position, version }) => ({
    // Only rules that were checked are stored.
    rule: { id, ...(JSON.parse(content) as NewRule) },
    position,
    version,
  }));
}

export type NewRule = Omit<RewardRule, 'id'>;

interface Change {
  readonly version: number;
  readonly nowMs: number;
}

/** Adds a rule after the others. */
export async function insertRule(
  tx: Transaction,
  rule: NewRule,
  position: number,
  { version, nowMs }: Change,
): Promise<RewardRule> {
  const content = JSON.stringify(rule);
  const row = { position, content, version, created_at: nowMs, updated_at: nowMs };
  const { id } = await insert(tx, row);
  return { id, ...rule };
}

export async function updateRule(
  tx: Transaction,
  { id, ...rule }: RewardRule,
  { version, nowMs }: Change,
): Promise<void> {
  await update(tx, { id, content: JSON.stringify(rule), version, updated_at: nowMs });
}

/** Gives the rules their places; those that keep theirs are not written. */
export async function placeRules(tx: Transaction, inOrder: readonly StoredRule[]): Promise<void> {
  const moved = inOrder.flatMap(({ rule: { id }, position }, i) =>
    position === i + 1 ? [] : [{ id, position: i + 1 }],
  );
  await tx.runMany(place, moved);
}
