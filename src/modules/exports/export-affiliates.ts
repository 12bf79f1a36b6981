import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { operation } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { groupsOfMany } from '../affiliates/index.ts';
import { findCouponsByUser, formerAccountsOf, sumBalances, toBalances } from '../coupons/index.ts';
import { CSV_TYPE, csvResponse, inColumns } from './csv.ts';
import { listAffiliatesAfter, type ExportedAffiliate } from './export-rows.ts';

const columns = [
  'id',
  'login',
  'email',
  'display_name',
  'status',
  'date_registered',
  'groups',
  'coupon_codes',
  'unpaid_commission',
  'pending_order_commission',
  'pending_payout_commission',
  'paid_commission',
] as const;

export const exportAffiliates = operation({
  method: 'GET',
  namespace: 'store',
  path: '/exports/affiliates.csv',
  summary: 'Export all affiliates as CSV',
  description: 'By id, with their groups, coupons and balances.',
  access: 'admin',
  scope: 'read',
  long: true,
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${columns.join()}\r\n` +
      '7,maya,maya@example.com,Maya Ortiz,active,2026-01-13T09:14:40,Gold,MAYA10,69,12.5,0,212.5\r\n',
  },
  handle({ db, site }) {
    return csvResponse({
      file: 'affiliates.csv',
      columns,
      readPage: (page) => listAffiliatesAfter(db, page),
      keyOf: (affiliate) => affiliate.id,
      toRecords: (affiliates) => toRecords(db, site, affiliates),
    });
  },
});

async function toRecords(db: Reader, site: Site, affiliates: ExportedAffiliate[]) {
  const ids = affiliates.map(({ id }) => id);
  const coupons = Map.groupBy(await findCouponsByUser(db, ids), (coupon) => coupon.user_id);
  const former = Map.groupBy(await formerAccountsOf(db, ids), (account) => account.user_id);
  const groups = Map.groupBy(await groupsOfMany(db, ids), (group) => group.user_id);
  const records = affiliates.map((affiliate) => {
    const own = coupons.get(affiliate.id) ?? [];
    return {
      ...affiliate,
      date_registered: site.calendar.toLocal(affiliate.registered_at),
      groups: (groups.get(affiliate.id) ?? []).map(({ name }) => name).join('|'),
      coupon_codes: own.map(({ code }) => code).join(' '),
      ...toBalances(sumBalances([...own, ...(former.get(affiliate.id) ?? [])]), site),
    };
  });
  return inColumns(columns, records);
}
