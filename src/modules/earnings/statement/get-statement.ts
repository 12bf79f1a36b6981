import Type from 'typebox';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import {
  CurrencyCode,
  Day,
  Id,
  LocalTime,
  Nullable,
  StringEnum,
} from '../../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { periodOf, periodParameters } from './statement-period.ts';
import { lineKinds, Statement, totalsOf } from './statement.ts';

const LineSchema = Type.Object(
  {
    date: LocalTime('When the balance changed.'),
    kind: StringEnum(lineKinds, {
      description:
        '`commission`: granted; `commission_removed`: taken back because an order was refunded or cancelled; ' +
        '`bonus`: a bonus that became payable; `adjustment`: made by hand; `payout`: paid; `payout_returned`: a paid payout was reopened, cancelled or ' +
        'came back; `hand_over`: moved with a coupon from or to another affiliate.',
    }),
    order_id: Nullable(Type.Integer({ description: 'The order of a commission.' })),
    payout_id: Nullable(Type.Integer({ description: 'The payout.' })),
    coupon_code: Type.String({ description: 'The coupon whose balance changed.' }),
    reason: Type.String({
      description: 'Why an adjustment was made, a bonus paid or money moved; else empty.',
    }),
    amount: Type.Number({ description: 'With its sign.' }),
    balance: Type.Number({ description: 'The amount that the store owes after this line.' }),
  },
  { $id: 'StatementLine' },
);

const exampleLine = {
  date: '2026-01-24T16:41:30',
  kind: 'commission',
  order_id: 1042,
  payout_id: null,
  coupon_code: 'MAYA10',
  reason: '',
  amount: 12.5,
  balance: 69,
};

export const getStatement = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/statement',
  summary: 'Statement of account: opening balance, lines, closing balance',
  description:
    'For admins and the affiliate itself. The balance is what the store owes: unpaid commission and what is in ' +
    'payouts that are not yet paid. Commission that awaits its order or is on hold is not part of it; a requested ' +
    'payout changes it once it is paid. The opening balance and the amounts of the lines add up to the closing ' +
    'balance exactly. At most 2,000 lines: choose shorter periods, or the CSV file, which has no limit.',
  access: 'owner',
  scope: 'read',
  long: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...periodParameters }),
  response: Type.Object(
    {
      user_id: Type.Integer({ description: 'The affiliate.' }),
      from: Day('The first day.'),
      to: Day('The last day.'),
      currency: CurrencyCode,
      opening: Type.Number({ description: 'The balance before the first day.' }),
      lines: Type.Array(LineSchema, { description: 'Oldest first.' }),
      closing: Type.Number({ description: 'The balance after the last day, or now.' }),
      totals: Type.Object(
        Object.fromEntries(lineKinds.map((kind) => [kind, Type.Number()])) as Record<
          (typeof lineKinds)[number],
          ReturnType<typeof Type.Number>
        >,
        { description: 'The sums of the lines by kind, with their sign.' },
      ),
    },
    {
      $id: 'Statement',
      examples: [
        {
          user_id: 7,
          from: '2026-01-01',
          to: '2026-01-31',
          currency: 'USD',
          opening: 56.5,
          lines: [exampleLine],
          closing: 69,
          totals: {
            commission: 12.5,
            commission_removed: 0,
            bonus: 0,
            adjustment: 0,
            payout: 0,
            payout_returned: 0,
            hand_over: 0,
          },
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    await requireOwnAffiliate(db, caller, id);
    const { currency, calendar } = site;
    const statement = await Statement.open(db, site, id, periodOf(input, site, nowMs));
    const lines = await statement.allLines();
    const totals = totalsOf(lines);
    return {
      user_id: id,
      ...statement.period,
      currency: currency.code,
      opening: currency.toMajor(statement.opening),
      lines: lines.map((line) => ({
        date: calendar.toLocal(line.at),
        kind: line.kind,
        order_id: line.order_id,
        payout_id: line.payout_id,
        coupon_code: line.coupon_code,
        reason: line.reason,
        amount: currency.toMajor(line.amount),
        balance: currency.toMajor(line.balance),
      })),
      closing: currency.toMajor(statement.closing),
      totals: {
        commission: currency.toMajor(totals.commission),
        commission_removed: currency.toMajor(totals.commission_removed),
        bonus: currency.toMajor(totals.bonus),
        adjustment: currency.toMajor(totals.adjustment),
        payout: currency.toMajor(totals.payout),
        payout_returned: currency.toMajor(totals.payout_returned),
        hand_over: currency.toMajor(totals.hand_over),
      },
    };
  },
});
