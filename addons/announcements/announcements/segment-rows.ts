import { sql, type Kysely } from 'kysely';
import type { Dialect } from '../../../src/db/dialect.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import type { Tables } from '../../../src/db/tables.ts';
import type { UserRow } from '../../../src/modules/users/index.ts';

export interface SegmentFilter {
  /** JSON arrays of names in lower case: one of them. */
  groups?: string | undefined;
  tags?: string | undefined;
  /** A JSON array of languages; '' for people without one of their own. */
  languages?: string | undefined;
  status: 'active' | 'suspended';
  joined_from?: number | undefined;
  /** A day. */
  earned_from?: string | undefined;
  no_clicks?: 1 | undefined;
}

export type Member = Pick<UserRow, 'id' | 'display_name' | 'email' | 'language' | 'muted_notices'>;

type Given = (name: keyof SegmentFilter) => boolean;

/** The affiliates in a segment who may sign in. */
function members(db: Kysely<Tables>, p: SegmentFilter, given: Given, dialect: Dialect) {
  return db
    .selectFrom('roster')
    .innerJoin('users', 'users.id', 'roster.user_id')
    .where('users.disabled_at', 'is', null)
    .where('roster.status', '=', p.status)
    .$if(given('joined_from'), (q) => q.where('roster.registered_at', '>=', p.joined_from!))
    .$if(given('no_clicks'), (q) => q.where('roster.clicks', '=', sql.lit(0)))
    .$if(given('languages'), (q) =>
      q.where(dialect.inJsonArray('users.language', p.languages, 'text')),
    )
    .$if(given('groups'), (q) =>
      q.where((eb) =>
        eb.exists(
          eb
            .selectFrom('affiliate_groups')
            .innerJoin('groups', 'groups.id', 'affiliate_groups.group_id')
            .select(sql.lit(1).as('n'))
            .whereRef('affiliate_groups.user_id', '=', 'roster.user_id')
            .where(dialect.inJsonArray('groups.name_folded', p.groups, 'text')),
        ),
      ),
    )
    .$if(given('tags'), (q) =>
      q.where((eb) =>
        eb.exists(
          eb
            .selectFrom('affiliate_tags')
            .innerJoin('tags', 'tags.id', 'affiliate_tags.tag_id')
            .select(sql.lit(1).as('n'))
            .whereRef('affiliate_tags.user_id', '=', 'roster.user_id')
            .where(dialect.inJsonArray('tags.name_folded', p.tags, 'text')),
        ),
      ),
    )
    .$if(given('earned_from'), (q) =>
      q.where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('coupons')
              .innerJoin('coupon_days', 'coupon_days.coupon_id', 'coupons.id')
              .select(sql.lit(1).as('n'))
              .whereRef('coupons.user_id', '=', 'roster.user_id')
              .where('coupon_days.day', '>=', p.earned_from!)
              .where(
                'coupon_days.total_commission',
                '>',
                sql<number>`(select coalesce(sum(total_commission), 0) from former_days
                  where coupon_id = coupons.id and day = coupon_days.day)`,
              ),
          ),
          eb.exists(
            eb
              .selectFrom('former_days')
              .select(sql.lit(1).as('n'))
              .whereRef('former_days.user_id', '=', 'roster.user_id')
              .where('former_days.day', '>=', p.earned_from!)
              .where('former_days.total_commission', '>', sql.lit(0)),
          ),
        ]),
      ),
    );
}

const columns = [
  'users.id',
  'users.display_name',
  'users.email',
  'users.language',
  'users.muted_notices',
] as const;

/** By name. A segment may be all affiliates. */
export const { count: countMembers, page: listMembers } = pagedList(
  members,
  (q) => q.select(columns).orderBy('roster.name').orderBy('roster.user_id'),
  long,
);

/** The next members after a user, in the order of their ids. */
export const listNextMembers = readAll<SegmentFilter & { after: number; limit: number }, Member>(
  (db, p, given, dialect) =>
    members(db, p as SegmentFilter, given, dialect)
      .select(columns)
      .where('roster.user_id', '>', p.after)
      .orderBy('roster.user_id')
      .limit(p.limit),
);
