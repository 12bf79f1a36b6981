import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { pagedList } from '../../../db/lists/paged-list.ts';
import { readByNumbers } from '../../../db/statements/calls.ts';
import { query } from '../../../db/statements/query.ts';

export interface Tag {
  readonly id: number;
  readonly name: string;
}

const byName = query<{ name_folded: string }, Tag>((db, p) =>
  db.selectFrom('tags').select(['id', 'name']).where('name_folded', '=', p.name_folded),
);

const insert = query<{ name: string; name_folded: string }, Tag>((db, p) =>
  db
    .insertInto('tags')
    .values({ name: p.name, name_folded: p.name_folded })
    .returning(['id', 'name']),
);

export const { count: countTags, page: listTagRows } = pagedList(
  (db) => db.selectFrom('tags'),
  (q) => q.select(['id', 'name']).orderBy('name_folded'),
);

/** The tags of these affiliates, by name. */
export const findTagsOf = readByNumbers<Tag & { user_id: number }>((db, isKey) =>
  db
    .selectFrom('affiliate_tags')
    .innerJoin('tags', 'tags.id', 'affiliate_tags.tag_id')
    .select(['user_id', 'tags.id', 'tags.name'])
    .where(isKey('user_id'))
    .orderBy('tags.name_folded'),
);

const add = query<{ user_id: number; tag_id: number }>((db, p) =>
  db.insertInto('affiliate_tags').values({ user_id: p.user_id, tag_id: p.tag_id }),
);

const remove = query<{ user_id: number; tag_id: number }>((db, p) =>
  db.deleteFrom('affiliate_tags').where('user_id', '=', p.user_id).where('tag_id', '=', p.tag_id),
);

/** A tag exists while an affiliate has it. */
const removeUnused = query<{ id: number }>((db, p) =>
  db
    .deleteFrom('tags')
    .where('id', '=', p.id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('affiliate_tags').select(sql.lit(1).as('n')).where('tag_id', '=', p.id),
        ),
      ),
    ),
);

const fold = (name: string) => name.toLowerCase();

export function findTag(db: Reader, name: string): Promise<Tag | undefined> {
  return db.first(byName, { name_folded: fold(name.trim()) });
}

/** Gives an affiliate these tags and no others. Returns whether that changed anything. */
export async function replaceTags(
  tx: Transaction,
  userId: number,
  names: readonly string[],
): Promise<boolean> {
  // Two transactions must not create the same tag, nor one remove what the other is about to use.
  await tx.lock('tags');
  const wanted = new Map(names.map((name) => [fold(name.trim()), name.trim()]));
  const had = await findTagsOf(tx, [userId]);
  const lost = had.filter(({ name }) => !wanted.has(fold(name)));
  for (const { name } of had) wanted.delete(fold(name));
  for (const [name_folded, name] of wanted) {
    const tag =
      (await tx.first(byName, { name_folded })) ?? (await tx.first(insert, { name, name_folded }))!;
    await tx.run(add, { user_id: userId, tag_id: tag.id });
  }
  for (const { id } of lost) {
    await tx.run(remove, { user_id: userId, tag_id: id });
    await tx.run(removeUnused, { id });
  }
  return wanted.size + lost.length > 0;
}
