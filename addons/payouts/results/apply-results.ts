import Type from 'typebox';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { CurrencyCode, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { findPaymentRows, lockPayoutRows } from '../files/collect-payments.ts';
import { payoutOperation } from '../missing-tables.ts';
import { applyPayoutChange } from '../payout/apply-payout-change.ts';
import { lockOrdersFor } from '../payout/lock-orders.ts';
import { noteRecorded, objectionsTo } from '../payout/objections.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { matchResults, mismatchCodes, type Match } from './match-results.ts';
import { readResults } from './read-results.ts';
import { resultFormats } from './result-formats.ts';

const MatchSchema = (description: string) =>
  Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'The line after the header, from 1.' }),
      payout_id: Type.Integer(),
      name: Type.String({ description: 'The affiliate.' }),
      amount: Type.Number(),
      status: StringEnum(payoutStatuses, { description: 'The status of the payout now.' }),
      outcome: Type.String({ description: 'As the file has it.' }),
      transaction_id: Type.String({ description: 'The reference of the payment in the file.' }),
      objection: Nullable(
        Type.String({
          description:
            'Why the payout should not have been paid yet: its case of the review. It is recorded all the same.',
        }),
      ),
    }),
    { description },
  );

const ResultsSchema = Type.Object(
  {
    applied: Type.Boolean({
      description:
        'True if the matched payouts are now paid: not in a dry run, nor with a mismatch, unless `only_matching`.',
    }),
    total: Type.Number({ description: 'The sum of the matched payouts.' }),
    currency: CurrencyCode,
    matched: MatchSchema('Lines that say that a payout was paid, and are right about it.'),
    unpaid: MatchSchema(
      'Lines that say that a payout was not paid. These payouts stay as they are.',
    ),
    mismatches: Type.Array(
      Type.Object({
        line: Type.Integer(),
        reference: Type.String({ description: 'As the file has it.' }),
        payout_id: Nullable(Type.Integer()),
        name: Nullable(Type.String({ description: 'The affiliate; null without a payout.' })),
        amount: Nullable(Type.Number({ description: 'Of the payout; null without one.' })),
        found: Nullable(
          Type.Number({ description: 'The amount of the line; null if it cannot be read.' }),
        ),
        code: StringEnum(mismatchCodes, {
          description:
            '`unknown`: no such payout; `double`: an earlier line has it; `amount`, `currency`: does not match; ' +
            '`already_paid`, `state`: it cannot become paid.',
        }),
        message: Type.String(),
      }),
    ),
  },
  {
    $id: 'PayoutResults',
    examples: [
      {
        applied: true,
        total: 12.5,
        currency: 'USD',
        matched: [
          {
            line: 1,
            payout_id: 31,
            name: 'Maya Ortiz',
            amount: 12.5,
            status: 'paid',
            outcome: 'paid',
            transaction_id: 'FT26034-88121',
            objection: null,
          },
        ],
        unpaid: [],
        mismatches: [],
      },
    ],
  },
);

const Body = Type.Object(
  {
    format: StringEnum(resultFormats, {
      description:
        '`csv`: columns payout_id, amount, outcome (`paid` or anything else), and optionally currency and ' +
        'transaction_id; `paypal`: the report of a batch of PayPal Payouts; `wise`: the transfers of a batch of Wise; `sepa`: pain.002, ' +
        'camt.053 or camt.054 of a bank, of which only transactions with the reference of a payout count.',
    }),
    content: Type.String({
      minLength: 1,
      maxLength: 500_000,
      description: 'The file as text, with its header: at most 500 lines.',
      examples: ['payout_id,amount,outcome\n987654321,12.50,paid\n'],
    }),
    dry_run: Type.Boolean({ default: false, description: 'Compares, and changes nothing.' }),
    only_matching: Type.Boolean({
      default: false,
      description: 'Marks what matches as paid, although other lines do not match.',
    }),
  },
  { $id: 'ApplyPayoutResults' },
);

export const applyResults = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/results',
  bodyValuesMax: 60_000,
  summary: 'Mark payouts as paid by the results of a bank or a payment service',
  description:
    'Each line is matched by its reference (`PAYOUT-31`) and its amount. If all lines match, the payouts that were ' +
    'paid become `paid`, all or none, also those that hold commission in review: `objection` says so. If any line does not match, nothing changes, unless `only_matching`. Except for a dry run, a session ' +
    'needs a recent proof.',
  access: 'admin',
  scope: 'write',
  proof: ({ dry_run }) => !dry_run,
  body: Body,
  example: {
    body: {
      format: 'csv',
      content: 'payout_id,amount,outcome,transaction_id\n31,12.50,paid,FT26034-88121\n',
    },
  },
  response: ResultsSchema,
  errors: [generalErrors.conflict],
  async handle({ db, site, caller, nowMs }, { format, content, dry_run, only_matching }) {
    const lines = readResults(format, content);
    if (typeof lines === 'string') throw invalidParameter('content', lines);
    const ids = [...new Set(lines.flatMap(({ payoutId }) => payoutId ?? []))];
    if (!dry_run) {
      await lockOrdersFor(db, { to: 'paid' });
      await lockPayoutRows(db, ids);
    }
    const payouts = new Map((await findPaymentRows(db, ids)).map((row) => [row.id, row]));
    const objections = await objectionsTo(db, site, ids);
    const { matched, unpaid, mismatches } = matchResults(site, lines, payouts);
    const applied = !dry_run && (only_matching || mismatches.length === 0);
    if (applied) {
      const by = { actorId: actorId(caller), nowMs };
      const paid: PayoutRow[] = [];
      for (const { payout, line } of matched) {
        const change = { source: 'admin', payout, to: 'paid', ...by } as const;
        const note = `by the results of ${format}`;
        const reference = transactionOf(line.transactionId);
        paid.push(await applyPayoutChange(db, site, { ...change, note, ...reference }));
      }
      await noteRecorded(db, site, paid, by);
    }
    const total = matched.reduce((sum, { payout }) => sum + payout.amount, 0);
    const wire = (match: Match) => ({
      ...toWire(site, match),
      objection: objections.get(match.payout.id) ?? null,
    });
    return {
      applied,
      total: site.currency.toMajor(total),
      currency: site.currency.code,
      matched: matched.map((match) => ({
        ...wire(match),
        ...(applied && { status: 'paid' as const }),
      })),
      unpaid: unpaid.map(wire),
      mismatches,
    };
  },
});

const REFERENCE_MAX = 100;

function referenceOf(text: string): string {
  return text
    .replaceAll(/\p{Control}/gu, '')
    .trim()
    .slice(0, REFERENCE_MAX);
}

function transactionOf(text: string) {
  const transactionId = referenceOf(text);
  return transactionId === '' ? {} : { transactionId };
}

function toWire(site: Site, { line, payout }: Match) {
  return {
    line: line.line,
    payout_id: payout.id,
    name: payout.display_name,
    amount: site.currency.toMajor(payout.amount),
    status: payout.status,
    outcome: line.outcome.slice(0, REFERENCE_MAX),
    transaction_id: referenceOf(line.transactionId),
  };
}
