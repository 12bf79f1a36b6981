import Type from 'typebox';
import { CurrencyCode, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { payoutOperation } from '../missing-tables.ts';
import { objectionsTo, sendsMoney } from '../payout/objections.ts';
import { clientStatuses } from '../payout/payout-status.ts';
import { findForForecast, forecast, type Forecast, type Pools } from './forecast.ts';
import { PayoutIds } from './payout-batch.ts';

const PoolsSchema = (description: string) =>
  Type.Object(
    {
      unpaid: Type.Number({ description: 'Available to the affiliates.' }),
      pending_payout: Type.Number({ description: 'In open payouts.' }),
      paid: Type.Number({ description: 'Paid so far.' }),
    },
    { description },
  );

const DryRunSchema = Type.Object(
  {
    count: Type.Integer({ description: 'How many payouts would be changed.' }),
    total: Type.Number({ description: 'The sum of their amounts.' }),
    currency: CurrencyCode,
    methods: Type.Array(
      Type.Object({
        method: Type.String({ description: 'The display name of the payout method.' }),
        method_type: Type.String({ description: 'Empty for payouts without details.' }),
        count: Type.Integer(),
        total: Type.Number(),
      }),
      { description: 'The payouts that would be changed, by method.' },
    ),
    problems: Type.Array(
      Type.Object({
        payout_id: Type.Integer(),
        code: Type.String({
          description:
            'An error of `POST /payouts/{id}/status`; or, if it does not block, what to look at first: ' +
            '`svc_api_no_payout_details`, `svc_api_details_changed`, `svc_api_below_threshold`, ' +
            '`svc_api_suspended`.',
        }),
        message: Type.String(),
        blocks: Type.Boolean({ description: 'True if the payout would stay as it is.' }),
      }),
    ),
    ledger: Type.Object(
      { before: PoolsSchema('Now.'), after: PoolsSchema('After the change.') },
      { description: 'The balances of the coupons whose payouts would be changed, in all.' },
    ),
  },
  {
    $id: 'PayoutDryRun',
    examples: [
      {
        count: 1,
        total: 12.5,
        currency: 'USD',
        methods: [{ method: 'Bank transfer', method_type: 'banktransfer', count: 1, total: 12.5 }],
        problems: [
          {
            payout_id: 30,
            code: 'svc_api_no_change',
            message: 'It already has this status.',
            blocks: true,
          },
        ],
        ledger: {
          before: { unpaid: 0, pending_payout: 12.5, paid: 40 },
          after: { unpaid: 0, pending_payout: 0, paid: 52.5 },
        },
      },
    ],
  },
);

const Body = Type.Object(
  {
    ids: PayoutIds,
    status: StringEnum(clientStatuses, { description: 'The status they would get.' }),
  },
  { $id: 'TryPayouts' },
);

export const dryRunPayouts = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/dry-run',
  summary: 'See what a change of many payouts would do',
  description: 'Shows what `POST /payouts/batch` would do now. Changes nothing.',
  access: 'admin',
  scope: 'write',
  body: Body,
  example: { body: { ids: [30, 31], status: 'paid' } },
  response: DryRunSchema,
  // It only reads.
  transaction: false,
  async handle({ db, site }, { ids, status }) {
    const [rows, objections] = await Promise.all([
      findForForecast(db, ids),
      sendsMoney(status) ? objectionsTo(db, site, ids) : new Map<number, string>(),
    ]);
    return toDryRun(site, forecast(site, ids, { rows, objections }, status));
  },
});

function toDryRun(site: Site, { changed, problems, before, after }: Forecast) {
  const { currency } = site;
  const total = (rows: Forecast['changed']) =>
    currency.toMajor(rows.reduce((sum, { amount }) => sum + amount, 0));
  const methods = Map.groupBy(changed, ({ method_type }) => method_type);
  const toWire = ({ unpaid, pending_payout, paid }: Pools) => ({
    unpaid: currency.toMajor(unpaid),
    pending_payout: currency.toMajor(pending_payout),
    paid: currency.toMajor(paid),
  });
  return {
    count: changed.length,
    total: total(changed),
    currency: currency.code,
    methods: [...methods].map(([method_type, rows]) => ({
      method: rows[0]!.method,
      method_type,
      count: rows.length,
      total: total(rows),
    })),
    problems: problems.map(({ payoutId, ...problem }) => ({ payout_id: payoutId, ...problem })),
    ledger: { before: toWire(before), after: toWire(after) },
  };
}
