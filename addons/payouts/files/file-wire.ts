import Type, { type Static } from 'typebox';
import { CurrencyCode, LocalTime, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { fileFormats } from '../tables.ts';
import { formats } from './formats.ts';
import type { PayoutFileRow } from './payout-file-rows.ts';

const fields = {
  id: Type.Integer({ description: 'The file.' }),
  format: StringEnum(fileFormats, {
    description: 'SEPA (pain.001), CSV of bank transfers, PayPal or Wise.',
  }),
  name: Type.String({ description: 'The name to save it under.' }),
  payouts: Type.Integer({ description: 'How many payouts it pays.' }),
  total: Type.Number({ description: 'The sum of their amounts.' }),
  currency: CurrencyCode,
  created_at: LocalTime('When it was made.'),
  created_by: Type.Object(
    { id: Type.Integer(), name: Type.String() },
    { description: 'The administrator or manager who made it.' },
  ),
  available: Type.Boolean({
    description: 'True if it can be fetched again: false once a person in it was erased.',
  }),
};

const example = {
  id: 3,
  format: 'sepa',
  name: 'payouts-2026-02-28-sepa-3.xml',
  payouts: 2,
  total: 104.5,
  currency: 'EUR',
  created_at: '2026-02-28T16:20:11',
  created_by: { id: 1, name: 'Ada Moreau' },
  available: true,
};

export const PayoutFileSchema = Type.Object(fields, { $id: 'PayoutFile', examples: [example] });

export const PayoutFileContentSchema = Type.Object(
  {
    ...fields,
    payout_ids: Type.Array(Type.Integer(), { description: 'The payouts, by id.' }),
    content_type: Type.String({ description: 'The media type of the file.' }),
    content: Type.String({ description: 'The file itself, as text.' }),
  },
  {
    $id: 'PayoutFileContent',
    examples: [
      {
        ...example,
        payout_ids: [31, 32],
        content_type: 'application/xml; charset=utf-8',
        content: '<?xml version="1.0" encoding="UTF-8"?>\n<Document …',
      },
    ],
  },
);

export function toPayoutFile(row: PayoutFileRow, site: Site): Static<typeof PayoutFileSchema> {
  return {
    id: row.id,
    format: row.format,
    name: row.name,
    payouts: row.payouts,
    total: site.currency.toMajor(row.total),
    currency: site.currency.code,
    created_at: site.calendar.toLocal(row.created_at),
    created_by: { id: row.created_by, name: row.display_name ?? '' },
    available: row.has_content === 1,
  };
}

export function toFileContent(
  row: PayoutFileRow,
  site: Site,
  content: string,
  payoutIds: readonly number[],
): Static<typeof PayoutFileContentSchema> {
  return {
    ...toPayoutFile(row, site),
    payout_ids: [...payoutIds],
    content_type: formats[row.format].contentType,
    content,
  };
}
