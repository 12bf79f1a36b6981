import Type from 'typebox';
import { cachedCollection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation, whenSearched } from '../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { containing, findCouponsByUser, formerAccountsOf } from '../coupons/index.ts';
import { countAffiliates, listAffiliateRows } from './affiliate-rows.ts';
import { AffiliateListSchema, toAffiliateListItem } from './affiliate-wire.ts';
import { affiliateStatuses } from './tables.ts';

export const listAffiliates = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/affiliates',
  summary: 'List affiliates with their coupons and balances',
  description: 'By id.',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Part of the login, the email address or the display name, in any case.',
      }),
    ),
    status: Type.Optional(
      StringEnum(affiliateStatuses, { description: 'Affiliates of this status only.' }),
    ),
    group: Type.Optional(
      Type.String({ maxLength: 100, description: 'Affiliates in the group of this name only.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(AffiliateListSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    const filter = {
      search: containing(input.search?.toLowerCase()),
      status: input.status,
      group: input.group?.toLowerCase(),
    };
    const counted = { name: 'affiliates', filter, count: () => countAffiliates(db, filter) };
    return cachedCollection(site, counted, input, async (slice) => {
      const rows = await listAffiliateRows(db, filter, slice);
      // Two statements read the coupons and accounts of the whole page.
      const ids = rows.map((row) => row.id);
      const coupons = Map.groupBy(await findCouponsByUser(db, ids), ({ user_id }) => user_id);
      const former = Map.groupBy(await formerAccountsOf(db, ids), ({ user_id }) => user_id);
      return rows.map((row) => {
        const own = { coupons: coupons.get(row.id) ?? [], former: former.get(row.id) ?? [] };
        return toAffiliateListItem(row, own, site, caller);
      });
    });
  },
});
