import Type from 'typebox';
import { listed, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import { PayoutFileSchema, toPayoutFile } from './file-wire.ts';
import { fileList } from './payout-file-rows.ts';

export const listPayoutFiles = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/files',
  summary: 'List the files that were made for banks and payment services',
  description: 'Newest first, without their content.',
  access: 'admin',
  scope: 'read',
  query: Type.Object(pageParameters),
  response: Type.Array(PayoutFileSchema),
  headers: pageHeaders,
  handle: ({ db, site }, input) =>
    listed(db, fileList, {}, input, (row) => toPayoutFile(row, site)),
});
