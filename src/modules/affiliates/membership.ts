import type { Reader, Transaction } from '../../db/database.ts';
import { readByNumbers } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findGroupByName } from '../groups/index.ts';

export interface Membership {
  readonly id: number;
  readonly name: string;
}

export const groupsOfMany = readByNumbers<Membership & { user_id: number }>((db, isKey) =>
  db
    .selectFrom('affiliate_groups')
    .innerJoin('groups', 'groups.id', 'affiliate_groups.group_id')
    .select(['affiliate_groups.user_id', 'groups.id', 'groups.name'])
    .where(isKey('affiliate_groups.user_id'))
    .orderBy('groups.id'),
);

const leaveAll = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('affiliate_groups').where('user_id', '=', p.user_id),
);

const join = query<{ user_id: number; group_id: number }>((db, p) =>
  db.insertInto('affiliate_groups').values({ user_id: p.user_id, group_id: p.group_id }),
);

/** The groups of an affiliate, in the order in which their rates count. */
export async function groupsOf(db: Reader, userId: number): Promise<Membership[]> {
  return (await groupsOfMany(db, [userId])).map(({ id, name }) => ({ id, name }));
}

/** The groups with these names, without duplicates, by id. Throws for an unknown name. */
export async function requireGroups(db: Reader, names: readonly string[]): Promise<Membership[]> {
  const found = new Map<number, Membership>();
  const unknown: string[] = [];
  for (const name of names) {
    const group = await findGroupByName(db, name);
    if (group) found.set(group.id, { id: group.id, name: group.name });
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    throw invalidParameter('groups', `There is no group named ${unknown.join(', ')}.`);
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** Adds an affiliate to a group; does nothing for a member. */
export async function joinGroup(
  tx: Transaction,
  userId: number,
  { id }: Pick<Membership, 'id'>,
): Promise<void> {
  if ((await groupsOf(tx, userId)).some((group) => group.id === id)) return;
  await tx.run(join, { user_id: userId, group_id: id });
}

export async function replaceGroups(
  tx: Transaction,
  userId: number,
  groups: readonly Membership[],
): Promise<void> {
  await tx.run(leaveAll, { user_id: userId });
  for (const { id } of groups) await tx.run(join, { user_id: userId, group_id: id });
}

const demote = query<{ id: number }>((db, p) =>
  db
    .updateTable('users')
    .set({ role: 'customer', roster_due: 1 })
    .where('id', '=', p.id)
    .where('role', '=', 'affiliate'),
);

const remove = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('affiliates').where('user_id', '=', p.user_id),
);

/** Makes a user without coupons no affiliate any more: lists and counts no longer include it. */
export async function endMembership(tx: Transaction, site: Site, userId: number): Promise<void> {
  await replaceGroups(tx, userId, []);
  await tx.run(remove, { user_id: userId });
  await tx.run(demote, { id: userId });
  tx.afterCommitEverywhere(() => site.invalidateCaches());
}
