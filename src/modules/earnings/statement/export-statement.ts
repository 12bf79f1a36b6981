import Type from 'typebox';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { CSV_TYPE, csvResponse } from '../../exports/index.ts';
import { periodOf, periodParameters } from './statement-period.ts';
import { Statement, type StatementLine } from './statement.ts';

const columns = [
  'date',
  'kind',
  'order_id',
  'payout_id',
  'coupon_code',
  'reason',
  'amount',
  'balance',
  'currency',
];

/** The first record holds the opening balance. */
type Row = StatementLine | { readonly id: 0; readonly opening: number };

export const exportStatement = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/statement.csv',
  summary: 'Statement of account as CSV',
  description:
    'The lines of `GET /affiliates/{id}/statement`, after a line `opening` with the opening balance.',
  access: 'owner',
  scope: 'read',
  long: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...periodParameters }),
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${columns.join()}\r\n` +
      '2026-01-01T00:00:00,opening,,,,,,56.5,USD\r\n' +
      '2026-01-24T16:41:30,commission,1042,,MAYA10,,12.5,69,USD\r\n',
  },
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    await requireOwnAffiliate(db, caller, id);
    const { currency, calendar } = site;
    const statement = await Statement.open(db, site, id, periodOf(input, site, nowMs));
    const { from, to } = statement.period;
    let balance = statement.opening;

    async function readPage({ after, limit }: { after: number; limit: number }): Promise<Row[]> {
      const isFirst = after < 0;
      const page = { after: Math.max(after, 0), limit: isFirst ? limit - 1 : limit };
      const lines = await statement.readLines(page, balance);
      balance = lines.at(-1)?.balance ?? balance;
      return isFirst ? [{ id: 0, opening: statement.opening }, ...lines] : lines;
    }

    return csvResponse<Row>({
      file: `statement-${from}-${to}.csv`,
      columns,
      readPage,
      keyOf: (row) => row.id,
      toRecords: async (rows) =>
        rows.map((row) =>
          'opening' in row
            ? [
                calendar.toLocal(calendar.startOfDay(from)),
                'opening',
                '',
                '',
                '',
                '',
                '',
                currency.toMajor(row.opening),
                currency.code,
              ]
            : [
                calendar.toLocal(row.at),
                row.kind,
                row.order_id,
                row.payout_id,
                row.coupon_code,
                row.reason,
                currency.toMajor(row.amount),
                currency.toMajor(row.balance),
                currency.code,
              ],
        ),
    });
  },
});
