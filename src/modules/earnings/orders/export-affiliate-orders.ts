import Type from 'typebox';
import { bounds, effectiveRange, rangeParameters } from '../../../kernel/call/date-range.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { subNames } from '../../clicks/index.ts';
import { findAccountsOf } from '../../coupons/index.ts';
import { CSV_TYPE, csvResponse, inColumns } from '../../exports/index.ts';
import { listReferredOrders, type AffiliateOrderRow } from './affiliate-orders-rows.ts';
import { showOrders } from './list-affiliate-orders.ts';

const columns = [
  'order_id',
  'date',
  'status',
  'coupon_code',
  'currency',
  'sales',
  'base',
  'commission',
  'expected',
  'state',
  'reason',
  'hold_until',
  'creative',
  ...subNames,
] as const;

export const exportAffiliateOrders = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/orders.csv',
  summary: 'The orders of an affiliate as CSV',
  description: 'All orders of `GET /affiliates/{id}/orders` in the period, newest first.',
  access: 'owner',
  scope: 'read',
  long: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...rangeParameters }),
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${columns.join()}\r\n` +
      '1042,2026-01-20T14:05:09,completed,MAYA10,USD,125,125,12.5,,earned,,,,newsletter,,,,\r\n',
  },
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    await requireOwnAffiliate(db, caller, id);
    const own = await findAccountsOf(db, id);
    const coupons = new Map(own.map((account) => [account.coupon_id, account]));
    const range = bounds(effectiveRange(input, site, nowMs));
    const filter = {
      userId: id,
      couponIds: [...coupons.keys()],
      isShared: own.some(({ owned_since }) => owned_since !== null),
      state: undefined,
      ...range,
    };
    return csvResponse<AffiliateOrderRow & { place: number }>({
      file: 'orders.csv',
      columns,
      async readPage({ after, limit }) {
        const rows = await listReferredOrders(db, filter, { limit, offset: after + 1 });
        return rows.map((row, i) => ({ ...row, place: after + 1 + i }));
      },
      keyOf: ({ place }) => place,
      toRecords: async (rows) => inColumns(columns, await showOrders(db, site, coupons, rows)),
    });
  },
});
