import { sql } from 'kysely';
import type { Transaction } from '../../src/db/database.ts';
import { pagedList, readCount } from '../../src/db/lists/paged-list.ts';
import { insertOne, insertRow, readByNumbers, write } from '../../src/db/statements/calls.ts';
import { findIn, removeFrom, removeOneFrom, saveIn } from '../../src/db/statements/plain-calls.ts';
import type { NewRowOf, RowOf } from '../../src/db/tables.ts';
import { textNames } from './creative-fields.ts';
import type { CreativeKind } from './tables.ts';

export type CreativeRow = RowOf<'creatives'>;
export type CreativeColumns = Omit<CreativeRow, 'id' | 'created_at'>;

export const insertCreative = insertOne<NewRowOf<'creatives'>, { id: number }>((db, row) =>
  db.insertInto('creatives').values(row).returning('id'),
);

export const updateCreative = saveIn(
  'creatives',
  [...textNames, 'kind', 'file_id', 'audience', 'from_day', 'to_day', 'updated_at'],
  'id',
);

export const deleteCreativeRow = removeOneFrom('creatives', 'id');

export const findCreative = findIn('creatives', 'id');

export const namesOfCreatives = readByNumbers<{ id: number; name: string }>((db, isKey) =>
  db.selectFrom('creatives').select(['id', 'name']).where(isKey('id')),
);

export const countCreatives = readCount((db, _p: object) => db.selectFrom('creatives'));

interface Filter {
  kind?: CreativeKind | undefined;
  category?: string | undefined;
}

export const { count: countListed, page: listCreativeRows } = pagedList(
  (db, p: Filter, given) =>
    db
      .selectFrom('creatives')
      .$if(given('kind'), (q) => q.where('kind', '=', p.kind!))
      .$if(given('category'), (q) => q.where('category', '=', p.category!)),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

interface OwnFilter {
  user_id: number;
  today: string;
  kind?: CreativeKind | undefined;
}

/** The creatives that an affiliate sees today. */
export const { count: countOwn, page: listOwnRows } = pagedList(
  (db, p: OwnFilter, given) =>
    db
      .selectFrom('creatives')
      .$if(given('kind'), (q) => q.where('kind', '=', p.kind!))
      .where('from_day', '<=', p.today)
      .where((eb) => eb.or([eb('to_day', '=', sql.lit('')), eb('to_day', '>=', p.today)]))
      .where((eb) =>
        eb.or([
          eb('audience', '=', sql.lit('all')),
          eb(
            'id',
            'in',
            eb
              .selectFrom('creative_affiliates')
              .select('creative_id')
              .where('user_id', '=', p.user_id),
          ),
          eb(
            'id',
            'in',
            eb
              .selectFrom('affiliate_groups')
              .innerJoin('creative_groups', 'creative_groups.group_id', 'affiliate_groups.group_id')
              .select('creative_groups.creative_id')
              .where('affiliate_groups.user_id', '=', p.user_id),
          ),
        ]),
      ),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

export const groupsOfCreatives = readByNumbers<{ creative_id: number; name: string }>((db, isKey) =>
  db
    .selectFrom('creative_groups')
    .innerJoin('groups', 'groups.id', 'creative_groups.group_id')
    .select(['creative_groups.creative_id', 'groups.name'])
    .where(isKey('creative_groups.creative_id'))
    .orderBy('groups.id'),
);

export const affiliatesOfCreatives = readByNumbers<{
  creative_id: number;
  user_id: number;
  display_name: string;
}>((db, isKey) =>
  db
    .selectFrom('creative_affiliates')
    .innerJoin('users', 'users.id', 'creative_affiliates.user_id')
    .select([
      'creative_affiliates.creative_id',
      'creative_affiliates.user_id',
      'users.display_name',
    ])
    .where(isKey('creative_affiliates.creative_id'))
    .orderBy('creative_affiliates.user_id'),
);

const clearGroups = write<{ id: number }>((db, p) =>
  db.deleteFrom('creative_groups').where('creative_id', '=', p.id),
);
const addGroup = insertRow<{ creative_id: number; group_id: number }>((db, row) =>
  db.insertInto('creative_groups').values(row),
);
const clearAffiliates = write<{ id: number }>((db, p) =>
  db.deleteFrom('creative_affiliates').where('creative_id', '=', p.id),
);
const addAffiliate = insertRow<{ creative_id: number; user_id: number }>((db, row) =>
  db.insertInto('creative_affiliates').values(row),
);

/** The affiliates who see it; undefined leaves them as they are. */
export async function saveAudience(
  tx: Transaction,
  id: number,
  groupIds: readonly number[] | undefined,
  userIds: readonly number[] | undefined,
): Promise<void> {
  if (groupIds) {
    await clearGroups(tx, { id });
    for (const group_id of groupIds) await addGroup(tx, { creative_id: id, group_id });
  }
  if (userIds) {
    await clearAffiliates(tx, { id });
    for (const user_id of userIds) await addAffiliate(tx, { creative_id: id, user_id });
  }
}

export const removeFromAudiences = removeFrom('creative_affiliates', 'user_id');
