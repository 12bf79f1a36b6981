import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { beginsWith } from '../../db/statements/begins-with.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { selectAffiliates } from '../affiliates/index.ts';
import { foldCode } from '../coupons/index.ts';
import { foldDisplayName } from '../users/index.ts';

interface Prefix {
  beginning: string;
  limit: number;
}

export interface FoundAffiliate {
  id: number;
  login: string;
  email: string;
  display_name: string;
}

function affiliatesBy(column: 'login_folded' | 'email_folded' | 'display_name_folded') {
  return query<Prefix, FoundAffiliate>((db, p) =>
    selectAffiliates(db)
      .select(['users.id', 'users.login', 'users.email', 'users.display_name'])
      .where(beginsWith(`users.${column}`, p.beginning))
      .orderBy(`users.${column}`)
      .limit(p.limit),
  );
}

const byLogin = affiliatesBy('login_folded');
const byEmail = affiliatesBy('email_folded');
const byName = affiliatesBy('display_name_folded');

/** Affiliates whose name, login or email address begins with this text. */
export async function findAffiliates(
  db: Reader,
  text: string,
  limit: number,
): Promise<FoundAffiliate[]> {
  const found = await Promise.all([
    db.all(byName, { beginning: foldDisplayName(text), limit }),
    db.all(byLogin, { beginning: text.toLowerCase(), limit }),
    db.all(byEmail, { beginning: text.toLowerCase(), limit }),
  ]);
  const byId = new Map(found.flat().map((one) => [one.id, one]));
  return [...byId.values()].slice(0, limit);
}

export interface FoundCoupon {
  id: number;
  code: string;
  display_name: string | null;
}

const coupons = query<Prefix, FoundCoupon>((db, p) =>
  db
    .selectFrom('coupons')
    .leftJoin('users', 'users.id', 'coupons.user_id')
    .select(['coupons.id', 'coupons.code', 'users.display_name'])
    .where(beginsWith('coupons.code_folded', p.beginning))
    .orderBy('coupons.code_folded')
    .orderBy('coupons.id')
    .limit(p.limit),
);

export function findCoupons(db: Reader, text: string, limit: number): Promise<FoundCoupon[]> {
  return db.all(coupons, { beginning: foldCode(text), limit });
}

export interface FoundOrder {
  order_id: number;
  day: string;
  status: string;
  total: number;
}

/** Numbers that begin with some digits are one range of the primary key for each number of further digits. */
const FURTHER_DIGITS = 9;

const orders = query<Record<string, number>, FoundOrder>((db, p) => {
  const range = (further: number) => ordersBetween(db, p, further);
  let all = range(0);
  for (let further = 1; further <= FURTHER_DIGITS; further += 1) all = all.unionAll(range(further));
  return db
    .selectFrom(all.as('found'))
    .select(['order_id', 'day', 'status', 'total'])
    .orderBy('order_id')
    .limit(p['limit']!);
});

function ordersBetween(
  db: Kysely<Tables>,
  p: { readonly [name: string]: number },
  further: number,
) {
  const limited = db
    .selectFrom('orders')
    .select(['order_id', 'day', sql<string>`status`.as('status'), 'total'])
    .where('order_id', '>=', p[`from${further}`]!)
    .where('order_id', '<=', p[`to${further}`]!)
    .orderBy('order_id')
    .limit(p['limit']!);
  return db.selectFrom(limited.as('limited')).select(['order_id', 'day', 'status', 'total']);
}

/** Orders whose number begins with these digits, the shortest numbers first. */
export function findOrders(db: Reader, digits: number, limit: number): Promise<FoundOrder[]> {
  const params: Record<string, number> = { limit };
  for (let further = 0; further <= FURTHER_DIGITS; further += 1) {
    const factor = 10 ** further;
    params[`from${further}`] = Math.min(Number.MAX_SAFE_INTEGER, digits * factor);
    // A range that begins beyond the largest number is empty.
    params[`to${further}`] =
      digits * factor > Number.MAX_SAFE_INTEGER
        ? 0
        : Math.min(Number.MAX_SAFE_INTEGER, (digits + 1) * factor - 1);
  }
  return db.all(orders, params);
}
