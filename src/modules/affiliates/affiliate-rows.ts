import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { query } from '../../db/statements/query.ts';
import { only, rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import { totalsOf } from '../../kernel/cache/total-cache.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { canonicalAddress, foldAddress } from '../../shared/email-address.ts';
import { foldDisplayName, markRosterDue, type UserRow } from '../users/index.ts';
import type { AffiliateStatus } from './tables.ts';

type AffiliateColumns = Pick<RowOf<'affiliates'>, 'status' | 'profile' | 'registered_at'>;

/** A user with its affiliate fields; fields without a stored value have their defaults. */
export type AffiliateRow = Omit<
  UserRow,
  'password_hash' | 'display_name_folded' | 'disabled_at' | 'last_seen_at' | 'roster_due'
> &
  AffiliateColumns;

/** Users with the role affiliate, and users with a coupon. */
export function selectAffiliates(db: Kysely<Tables>) {
  return db
    .selectFrom('users')
    .leftJoin('affiliates', 'affiliates.user_id', 'users.id')
    .where((eb) =>
      eb.or([
        eb('users.role', '=', 'affiliate'),
        eb.exists(
          eb
            .selectFrom('coupons')
            .select('coupons.id')
            .whereRef('coupons.user_id', '=', 'users.id'),
        ),
      ]),
    );
}

function withColumns(q: ReturnType<typeof selectAffiliates>) {
  return q
    .select([
      'users.id',
      'users.login',
      'users.login_folded',
      'users.email',
      'users.email_folded',
      'users.display_name',
      'users.role',
      'users.created_at',
      'users.language',
      'users.muted_notices',
    ])
    .select((eb) => [
      eb.fn.coalesce('affiliates.status', sql.lit<AffiliateStatus>('active')).as('status'),
      eb.fn.coalesce('affiliates.profile', sql.lit('{}')).as('profile'),
      eb.fn.coalesce('affiliates.registered_at', 'users.created_at').as('registered_at'),
    ]);
}

const byId = query<{ id: number }, AffiliateRow>((db, p) =>
  withColumns(selectAffiliates(db)).where('users.id', '=', p.id),
);

export interface AffiliateFilter {
  /** A pattern for `like`, in lower case. */
  search?: string | undefined;
  status?: string | undefined;
  /** The name of a group in lower case. */
  group?: string | undefined;
}

const like = (column: string, pattern: string) =>
  sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;

function filtered(
  db: Kysely<Tables>,
  p: AffiliateFilter,
  given: (name: keyof AffiliateFilter) => boolean,
) {
  return selectAffiliates(db)
    .$if(given('search'), (q) =>
      q.where((eb) =>
        eb.or([
          like('users.login_folded', p.search!),
          like('users.email_folded', p.search!),
          like('users.display_name_folded', p.search!),
        ]),
      ),
    )
    .$if(given('status'), (q) =>
      q.where((eb) => eb(eb.fn.coalesce('affiliates.status', sql.lit('active')), '=', p.status!)),
    )
    .$if(given('group'), (q) =>
      q.where((eb) =>
        eb.exists(
          eb
            .selectFrom('affiliate_groups')
            .innerJoin('groups', 'groups.id', 'affiliate_groups.group_id')
            .select('groups.id')
            .whereRef('affiliate_groups.user_id', '=', 'users.id')
            .where('groups.name_folded', '=', p.group!),
        ),
      ),
    );
}

export const { count: countAffiliates, page: listAffiliateRows } = pagedList(filtered, (q) =>
  withColumns(q).orderBy('users.id'),
);

const save = rowQuery<{ user_id: number } & AffiliateColumns>((db, row) =>
  db
    .insertInto('affiliates')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(only(row, ['status', 'profile'])),
    ),
);

const nameColumns = ['display_name', 'display_name_folded', 'email', 'email_folded'] as const;

const rename = query<Pick<UserRow, 'id' | (typeof nameColumns)[number]>>((db, p) =>
  db
    .updateTable('users')
    .set({ ...only(p, nameColumns), roster_due: 1 })
    .where('id', '=', p.id),
);

export function findAffiliate(db: Reader, id: number): Promise<AffiliateRow | undefined> {
  return db.first(byId, { id });
}

/** Locks an affiliate until the transaction ends, for writes that depend on an earlier read. */
export function lockAffiliate(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`affiliate ${id}`);
}

/** The number of affiliates, cached until it changes. */
export function countAllAffiliates(db: Reader, site: Site): Promise<number> {
  return totalsOf(site).find('affiliates', {}, () => countAffiliates(db, {}));
}

export async function saveAffiliate(
  tx: Transaction,
  userId: number,
  { status, profile, registered_at }: AffiliateColumns,
): Promise<void> {
  await tx.run(save, { user_id: userId, status, profile, registered_at });
  await markRosterDue(tx, { id: userId });
}

export async function renameUser(
  tx: Transaction,
  id: number,
  user: Pick<UserRow, 'display_name' | 'email'>,
): Promise<void> {
  await tx.run(rename, {
    id,
    ...user,
    email: canonicalAddress(user.email),
    display_name_folded: foldDisplayName(user.display_name),
    email_folded: foldAddress(user.email),
  });
}
