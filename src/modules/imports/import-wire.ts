import Type, { type Static } from 'typebox';
import { CurrencyCode, LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { ImportRow } from './import-rows.ts';
import { importStates } from './tables.ts';

const Count = (description: string) => Type.Integer({ description });

export const ImportSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the import.' }),
    system: Type.String({
      description:
        'The system that it comes from; for CSV the kind of its records, such as `orders`.',
    }),
    files: Type.Array(Type.String(), { description: 'The names of the files.' }),
    state: StringEnum(importStates, {
      description:
        '`running`: not ended; the same files go on with it. `done`. `undoing`: it is being taken back. `undone`.',
    }),
    reason: Type.String({ description: 'Why an undo stopped, in a sentence; otherwise empty.' }),
    run_by: Type.String({
      description:
        'The person that ran it, or the user of the operating system for a command; empty if unknown.',
    }),
    affiliates: Count('Affiliates that it created.'),
    coupons: Count('Coupons that it created.'),
    balance: Type.Number({ description: 'The amount added to balances.' }),
    currency: CurrencyCode,
    records: Count('Referrals and payouts that it brought as history, or new orders.'),
    rules: Count('Reward rules that it created.'),
    kept: Count(
      'Affiliates and orders that an undo has left, because they were used or changed since.',
    ),
    date: LocalTime('When it began.'),
    date_ended: Nullable(LocalTime('When it, or its undo, ended; null before.')),
  },
  {
    $id: 'Import',
    examples: [
      {
        id: 4,
        system: 'affiliatewp',
        files: ['affiliates.csv', 'referrals.csv'],
        state: 'done',
        reason: '',
        run_by: 'deploy',
        affiliates: 128,
        coupons: 131,
        balance: 2410.5,
        currency: 'USD',
        records: 5210,
        rules: 3,
        kept: 0,
        date: '2026-02-24T10:12:11',
        date_ended: '2026-02-24T10:12:34',
      },
    ],
  },
);

export function toImport(
  row: ImportRow,
  { calendar, currency }: Site,
): Static<typeof ImportSchema> {
  return {
    id: row.id,
    system: row.system,
    // Only `createImport` writes the column, with the names of the files.
    files: JSON.parse(row.files) as string[],
    state: row.state,
    reason: row.reason,
    run_by: row.run_by,
    affiliates: row.affiliates,
    coupons: row.coupons,
    balance: currency.toMajor(row.balance),
    currency: currency.code,
    records: row.records,
    rules: row.rules,
    kept: row.kept,
    date: calendar.toLocal(row.created_at),
    date_ended: calendar.toLocal(row.ended_at),
  };
}
