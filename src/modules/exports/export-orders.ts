import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { operation } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { perSub, readOrderSources, subNames } from '../clicks/index.ts';
import { toCurrencies } from '../orders/index.ts';
import { CSV_TYPE, csvResponse, inColumns } from './csv.ts';
import { listOrdersAfter, listReferralsOf, type ExportedOrder } from './export-rows.ts';

const columns = [
  'order_id',
  'date',
  'status',
  'currency',
  'total',
  'discount',
  'shipping',
  'refunded',
  'coupon_codes',
  'commission',
  'order_currency',
  'exchange_rate',
  'external_id',
  'credited_via',
  'click_id',
  'referral_code',
  'creative',
  ...subNames,
] as const;

export const exportOrders = operation({
  method: 'GET',
  namespace: 'store',
  path: '/exports/orders.csv',
  summary: 'Export all orders as CSV',
  description:
    "By order id, with the coupons they are credited to and the commission. Amounts are in the store's currency.",
  access: 'admin',
  scope: 'read',
  long: true,
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${columns.join()}\r\n` +
      '1042,2026-01-20T14:05:09,completed,USD,125,0,0,0,MAYA10,12.5,USD,1,WEB-1042,coupon,,,,newsletter,,,,\r\n',
  },
  handle({ db, site }) {
    return csvResponse({
      file: 'orders.csv',
      columns,
      readPage: (page) => listOrdersAfter(db, page),
      keyOf: (order) => order.order_id,
      toRecords: (orders) => toRecords(db, site, orders),
    });
  },
});

async function toRecords(db: Reader, site: Site, orders: ExportedOrder[]): Promise<unknown[][]> {
  const { calendar, currency } = site;
  const ids = orders.map((order) => order.order_id);
  const referrals = Map.groupBy(await listReferralsOf(db, ids), (row) => row.order_id);
  // Of the first coupon whose link had any.
  const sources = Map.groupBy(await readOrderSources(db, ids), (row) => row.order_id);
  const records = orders.map((order) => {
    const source = sources.get(order.order_id)?.[0];
    const own = referrals.get(order.order_id) ?? [];
    return {
      ...order,
      ...toCurrencies(order, site),
      date: calendar.toLocal(order.placed_at),
      total: currency.toMajor(order.total),
      discount: currency.toMajor(order.discount),
      shipping: currency.toMajor(order.shipping),
      refunded: currency.toMajor(order.refunded),
      coupon_codes: own.map(({ code }) => code).join(' '),
      commission: currency.toMajor(own.reduce((sum, row) => sum + row.commission, 0)),
      creative: source?.creative_id ?? null,
      ...perSub((name) => source?.[name] ?? ''),
      credited_via: [...new Set(own.map(({ via }) => via))].join(' '),
    };
  });
  return inColumns(columns, records);
}
