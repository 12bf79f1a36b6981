import Type from 'typebox';
import { mayEdit } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { recordReveals } from '../details/record-reveals.ts';
import { payoutOperation } from '../missing-tables.ts';
import { findPaymentRows, personOf, toReveals } from './collect-payments.ts';
import { PayoutFileContentSchema, toFileContent } from './file-wire.ts';
import { findFile } from './payout-file-rows.ts';

export const fileErased = defineError(
  'svc_api_file_erased',
  410,
  'The content of this file was erased together with a person in it.',
);

export const getPayoutFile = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/files/{id}',
  summary: 'Fetch a file for a bank or a payment service again',
  description:
    'The same content as when it was made. It contains destinations, so it requires a recent proof of a signed-in ' +
    'user, and the event `payout_details.revealed` records each of them.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  recordsReader: true,
  params: Type.Object({ id: Id('The file.') }),
  response: PayoutFileContentSchema,
  errors: [generalErrors.notFound, generalErrors.forbidden, fileErased],
  async handle({ db, site, caller, nowMs }, { id }) {
    const found = await findFile(db, site, id);
    if (!found) throw new ApiError(generalErrors.notFound);
    const { file, content, payoutIds } = found;
    if (content === undefined) throw new ApiError(fileErased);
    const rows = await findPaymentRows(db, payoutIds);
    // A manager must not see the destination of an administrator.
    if (!rows.every((row) => mayEdit(caller, personOf(row)))) {
      throw new ApiError(generalErrors.forbidden);
    }
    // Committed before the response, so nothing is revealed without a record of it.
    await site.database.transaction(async (tx) =>
      recordReveals(tx, site, caller, toReveals(rows), { nowMs, place: ' in a file' }),
    );
    return toFileContent(file, site, content, payoutIds);
  },
});
