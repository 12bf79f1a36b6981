import Type, { type Static } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { termsIn } from '../../../db/lists/search.ts';
import { cachedCollection, pageHeaders } from '../../../kernel/cache/collection.ts';
import type { Caller } from '../../../kernel/declare/caller.ts';
import { operation, whenSearched } from '../../../kernel/declare/operation.ts';
import {
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { findCouponsByUser } from '../../coupons/index.ts';
import { findGroupByName } from '../../groups/index.ts';
import { toPerson, toUser, UserSchema } from '../../users/index.ts';
import { groupsOfMany } from '../membership.ts';
import { affiliateStatuses } from '../tables.ts';
import { findTag, findTagsOf } from '../tags/tag-rows.ts';
import { refreshForRead } from './refresh-roster.ts';
import {
  countRoster,
  findEntries,
  listRosterIds,
  sorts,
  type RosterEntry,
  type RosterFilter,
} from './roster-rows.ts';

/** Ids start at 1: a group or tag that does not exist matches no affiliate. */
const NONE = 0;
/** Changes by other processes are noticed later than by this one. */
const TOTAL_MAX_AGE_MS = 10_000;

const RosterSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the user.' }),
    user: UserSchema,
    status: StringEnum(affiliateStatuses),
    date_registered: LocalTime('When the affiliate joined.'),
    groups: Type.Array(Type.String(), { description: 'The names of its groups.' }),
    tags: Type.Array(Type.String(), { description: 'By name.' }),
    coupons: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'The id of the coupon.' }),
        code: Type.String({ description: 'The code that customers enter.' }),
        status: StringEnum(['active', 'disabled']),
      }),
    ),
    orders_count: Type.Integer({ description: 'Referred orders.' }),
    total_sales: Type.Number({ description: 'The amount that customers paid, net of refunds.' }),
    total_commission: Type.Number({
      description: 'Of its own referrals, and its shares of those of affiliates below.',
    }),
    unpaid_commission: Type.Number({ description: 'Commission that can be paid out.' }),
    clicks: Type.Integer({ description: 'Clicks on its links.' }),
    last_order: Nullable(LocalTime('When its last order was placed.')),
  },
  {
    $id: 'RosterEntry',
    examples: [
      {
        id: 7,
        user: { id: 7, display_name: 'Maya Ortiz', login: 'maya', email: 'maya@example.com' },
        status: 'active',
        date_registered: '2026-01-13T09:14:40',
        groups: ['Gold'],
        tags: ['travel', 'vip'],
        coupons: [{ id: 12, code: 'MAYA10', status: 'active' }],
        orders_count: 24,
        total_sales: 2940,
        total_commission: 294,
        unpaid_commission: 69,
        clicks: 310,
        last_order: '2026-02-08T15:10:26',
      },
    ],
  },
);

export const listRoster = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates',
  summary: 'List affiliates with their figures, sorted by any of them',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Beginnings of words of the name, the login, the email address or a coupon code, in any case. The first ' +
          'three count.',
      }),
    ),
    status: Type.Optional(
      StringEnum(affiliateStatuses, { description: 'Affiliates of this status only.' }),
    ),
    group: Type.Optional(
      Type.String({ maxLength: 100, description: 'Affiliates in the group of this name only.' }),
    ),
    tag: Type.Optional(
      Type.String({ maxLength: 100, description: 'Affiliates with this tag only.' }),
    ),
    sort: StringEnum(sorts, {
      default: '-created',
      description: 'With a minus sign the highest or latest comes first.',
    }),
    ...pageParameters,
  }),
  response: Type.Array(RosterSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    await refreshForRead(db, site);
    const filter = await filterOf(db, input);
    const counted = {
      name: 'roster',
      maxAgeMs: TOTAL_MAX_AGE_MS,
      filter,
      count: () => countRoster(db, filter),
    };
    return cachedCollection(site, counted, input, async (slice, total) => {
      const ids = await listRosterIds(db, filter, { sort: input.sort, total, ...slice });
      return describe(db, site, caller, ids);
    });
  },
});

interface Wanted {
  search?: string;
  status?: RosterFilter['status'];
  group?: string;
  tag?: string;
}

async function filterOf(db: Reader, wanted: Wanted): Promise<RosterFilter> {
  return {
    status: wanted.status,
    group_id: wanted.group ? ((await findGroupByName(db, wanted.group))?.id ?? NONE) : undefined,
    tag_id: wanted.tag ? ((await findTag(db, wanted.tag))?.id ?? NONE) : undefined,
    ...termsIn(wanted.search),
  };
}

/** Four statements for a whole page. */
async function describe(
  db: Reader,
  site: Site,
  caller: Caller,
  ids: readonly number[],
): Promise<Static<typeof RosterSchema>[]> {
  const [entries, coupons, groups, tags] = await Promise.all([
    findEntries(db, ids),
    findCouponsByUser(db, ids),
    groupsOfMany(db, ids),
    findTagsOf(db, ids),
  ]);
  const couponsOf = Map.groupBy(coupons, ({ user_id }) => user_id);
  const groupsOf = Map.groupBy(groups, ({ user_id }) => user_id);
  const tagsOf = Map.groupBy(tags, ({ user_id }) => user_id);
  return entries.map((entry) => ({
    ...describeFigures(entry, site),
    id: entry.user_id,
    user: toUser(toPerson({ ...entry, id: entry.user_id }), caller),
    status: entry.status,
    date_registered: site.calendar.toLocal(entry.registered_at),
    groups: (groupsOf.get(entry.user_id) ?? []).map(({ name }) => name),
    tags: (tagsOf.get(entry.user_id) ?? []).map(({ name }) => name),
    coupons: (couponsOf.get(entry.user_id) ?? []).map(({ id, code, status }) => ({
      id,
      code,
      status,
    })),
  }));
}

function describeFigures(entry: RosterEntry, { currency, calendar }: Site) {
  return {
    orders_count: entry.orders_count,
    total_sales: currency.toMajor(entry.sales),
    total_commission: currency.toMajor(entry.commission),
    unpaid_commission: currency.toMajor(entry.unpaid),
    clicks: entry.clicks,
    last_order: entry.last_order_at === 0 ? null : calendar.toLocal(entry.last_order_at),
  };
}
