import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { byNumber } from '../../../db/statements/keyed-query.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { nameCreatives } from '../../clicks/index.ts';
import { NO_COUNTRY } from './country-rows.ts';
import { NO_KEY, type ComparedRow, type ReportKind } from './period-rows.ts';

/** What a row is about; null where it has none. */
export interface RowName {
  name: string | null;
  /** The affiliate, also of a coupon. */
  affiliate: { id: number; login: string; name: string } | null;
}

interface Named {
  id: number;
  code: string | null;
  user_id: number | null;
  login: string | null;
  display_name: string | null;
}

const coupons = byNumber<Named>((db, isKey) =>
  db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .select(['coupons.id', 'coupons.code', 'coupons.user_id', 'users.login', 'users.display_name'])
    .where(isKey('coupons.id')),
);

const users = byNumber<Named>((db, isKey) =>
  db
    .selectFrom('users')
    .select(['id', 'id as user_id', 'login', 'display_name'])
    .select(sql<null>`null`.as('code'))
    .where(isKey('id')),
);

/** The names of the rows of one page. */
export async function nameRows(
  db: Reader,
  site: Site,
  kind: ReportKind,
  rows: readonly ComparedRow[],
): Promise<RowName[]> {
  if (kind === 'creative') {
    const named = await nameCreatives(
      db,
      site,
      rows.map(({ key }) => Number(key)),
    );
    // A creative that was removed keeps its number.
    return rows.map(({ key }) => ({ name: named.get(Number(key)) ?? `#${key}`, affiliate: null }));
  }
  if (kind !== 'affiliate' && kind !== 'coupon') {
    const hasName = (key: ComparedRow['key']) => kind !== 'country' || key !== NO_COUNTRY;
    return rows.map(({ key }) => ({ name: hasName(key) ? String(key) : null, affiliate: null }));
  }
  const ids = rows.map(({ key }) => Number(key)).filter((id) => id !== NO_KEY);
  const found = await db.allByKeys(kind === 'coupon' ? coupons : users, ids);
  const byId = new Map(found.map((row) => [row.id, row]));
  return rows.map(({ key }) => {
    const row = byId.get(Number(key));
    if (!row) return { name: null, affiliate: null };
    const { user_id: id, login, display_name } = row;
    const affiliate = id === null ? null : { id, login: login!, name: display_name! };
    return { name: row.code ?? display_name, affiliate };
  });
}
