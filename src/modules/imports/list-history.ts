import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import {
  CurrencyCode,
  Id,
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { requireOwnAffiliate } from '../affiliates/index.ts';
import { historyList, type HistoryRow } from './history-rows.ts';
import { historyKinds } from './tables.ts';

const HistorySchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the entry.' }),
    kind: StringEnum(historyKinds, { description: 'A referral, or a payout.' }),
    system: Type.String({ description: 'The system that it comes from.' }),
    external_id: Type.String({ description: 'Its id there.' }),
    state: Type.String({
      description:
        'Of a referral: `pending`, `approved`, `unpaid`, `paid`, `rejected`; of a payout: `open`, `paid`, `failed`.',
    }),
    amount: Type.Number({ description: 'The commission, or the amount that was paid.' }),
    sale: Nullable(
      Type.Number({ description: 'The amount of the sale; null if it is not known.' }),
    ),
    currency: CurrencyCode,
    reference: Type.String({ description: 'The order, or the way of payment; empty for none.' }),
    date: Nullable(LocalTime('When it happened; null if that is not known.')),
  },
  {
    $id: 'ImportedHistory',
    examples: [
      {
        id: 5,
        kind: 'referral',
        system: 'affiliatewp',
        external_id: '8841',
        state: 'paid',
        amount: 12.5,
        sale: 125,
        currency: 'USD',
        reference: '1042',
        date: '2025-11-03T00:00:00',
      },
    ],
  },
);

export const listHistory = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/history',
  summary: 'Referrals and payouts from before the move from another system',
  description:
    'Newest first. They are history only: balances and figures do not include them, except what was still unpaid, ' +
    'which the import added to the ledger.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...pageParameters }),
  response: Type.Array(HistorySchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, input) {
    await requireOwnAffiliate(db, caller, input.id);
    return listed(db, historyList, { user_id: input.id }, input, (row) => toHistory(row, site));
  },
});

export function toHistory(row: HistoryRow, { currency, calendar }: Site) {
  return {
    id: row.id,
    kind: row.kind,
    system: row.system,
    external_id: row.external_id,
    state: row.state,
    amount: currency.toMajor(row.amount),
    sale: row.sale === null ? null : currency.toMajor(row.sale),
    currency: currency.code,
    reference: row.reference,
    date: calendar.toLocal(row.happened_at),
  };
}
