import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { byNumber } from '../../../db/statements/keyed-query.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { ReportKind } from '../../../web-contract/report-dimensions.ts';
import { nameCreatives } from '../../clicks/index.ts';
import { NO_COUNTRY } from './country-rows.ts';
import { NO_KEY, type ComparedRow } from './period-rows.ts';
import { readSubKey } from './source-rows.ts';

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
  if (kind === 'sub1') {
    const subs = rows.map(({ key }) => readSubKey(String(key)));
    const affiliates = await findNamed(
      db,
      users,
      subs.map(({ userId }) => userId),
    );
    return subs.map(({ userId, sub1 }) => ({
      name: sub1,
      affiliate: affiliateOf(affiliates.get(userId)),
    }));
  }
  if (kind !== 'affiliate' && kind !== 'coupon') {
    const hasName = (key: ComparedRow['key']) => kind !== 'country' || key !== NO_COUNTRY;
    return rows.map(({ key }) => ({ name: hasName(key) ? String(key) : null, affiliate: null }));
  }
  const found = await findNamed(
    db,
    kind === 'coupon' ? coupons : users,
    rows.map(({ key }) => Number(key)),
  );
  return rows.map(({ key }) => {
    const row = found.get(Number(key));
    return { name: row?.code ?? row?.display_name ?? null, affiliate: affiliateOf(row) };
  });
}

async function findNamed(
  db: Reader,
  statement: typeof users,
  ids: readonly number[],
): Promise<Map<number, Named>> {
  const known = [...new Set(ids)].filter((id) => id !== NO_KEY);
  return new Map((await db.allByKeys(statement, known)).map((row) => [row.id, row]));
}

function affiliateOf(row: Named | undefined): RowName['affiliate'] {
  if (!row || row.user_id === null) return null;
  return { id: row.user_id, login: row.login!, name: row.display_name! };
}
