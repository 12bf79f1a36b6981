import type { Selectable } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { insertOne, readAll, write } from '../../db/statements/calls.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import type { RewardBonus } from '../rewards/index.ts';
import { bonusesVersion } from './settings.ts';
import type { RewardBonusesTable } from './tables.ts';

type BonusRow = Selectable<RewardBonusesTable>;

const readRows = readAll<object, BonusRow>((db) =>
  db.selectFrom('reward_bonuses').selectAll().orderBy('id'),
);

export const insertBonus = insertOne<Omit<BonusRow, 'id'>, { id: number }>((db, row) =>
  db.insertInto('reward_bonuses').values(row).returning('id'),
);

export const updateBonus = write<Omit<BonusRow, 'created_at'>>((db, p) =>
  db
    .updateTable('reward_bonuses')
    .set({ content: p.content, since: p.since, version: p.version, updated_at: p.updated_at })
    .where('id', '=', p.id),
);

export const deleteBonusRow = write<{ id: number }>((db, p) =>
  db.deleteFrom('reward_bonuses').where('id', '=', p.id),
);

export type NewBonus = Omit<RewardBonus, 'id'>;

/** A bonus as it is stored. */
export interface StoredBonus {
  readonly bonus: RewardBonus;
  readonly since: number;
  readonly version: number;
}

/** All bonuses, oldest first. */
export async function readBonuses(db: Reader): Promise<StoredBonus[]> {
  const rows = await readRows(db);
  return rows.map(({ id, content, since, version }) => ({
    // Only bonuses that were checked are stored.
    bonus: { id, ...(JSON.parse(content) as NewBonus) },
    since,
    version,
  }));
}

const memories = perSite(() => ({ version: 0, hasActive: false, countsCustomers: false }));

/** What active bonuses need. That is read again after the version has changed; without bonuses it is never read. */
export async function activeBonuses(site: Site) {
  const version = site.settings.get(bonusesVersion);
  const memory = memories(site);
  if (memory.version !== version) {
    const bonuses = (await readBonuses(site.database.read)).filter(({ bonus }) => bonus.active);
    memory.hasActive = bonuses.length > 0;
    memory.countsCustomers = bonuses.some(
      ({ bonus: { target } }) => 'by' in target && target.by === 'new_customers',
    );
    memory.version = version;
  }
  return memory;
}
