import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { recordReveals } from '../details/record-reveals.ts';
import { payoutOperation } from '../missing-tables.ts';
import { payoutFileCreated } from '../payout/payout-events.ts';
import { PayoutIds } from '../review/payout-batch.ts';
import { fileFormats, type FileFormat } from '../tables.ts';
import { collectPayments, lockPayoutRows, toReveals } from './collect-payments.ts';
import { debtorBic, debtorIban, debtorName } from './debtor-settings.ts';
import { PayoutFileContentSchema, toFileContent } from './file-wire.ts';
import { formats } from './formats.ts';
import type { Debtor } from './payment-file.ts';
import { insertFile } from './payout-file-rows.ts';

export const notPayable = defineError(
  'svc_api_not_payable',
  409,
  'Some of these payouts cannot be in this file. No file was made.',
);

export const debtorMissing = defineError(
  'svc_api_debtor_missing',
  409,
  'First set the name and IBAN of the paying account in the settings.',
);

export const eurOnly = defineError(
  'svc_api_eur_only',
  409,
  "SEPA transfers require EUR; the store's currency is different.",
);

const Body = Type.Object(
  {
    format: StringEnum(fileFormats, {
      description:
        '`sepa`: bank transfers in EUR, as pain.001.001.09; `bank`: bank transfers in any currency, as CSV with name, account, ' +
        'amount and reference; `paypal`: a file for PayPal Payouts; `wise`: a file for the ' +
        'batch payments of Wise, to saved recipients.',
    }),
    ids: PayoutIds,
    again: Type.Boolean({
      default: false,
      description: 'Include payouts that are in an earlier file: make sure that it was not paid.',
    }),
  },
  { $id: 'CreatePayoutFile' },
);

export const createPayoutFile = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/files',
  summary: 'Make a file for a bank or a payment service',
  description:
    'Pays nothing and changes no status: upload the file, then send its results to `POST /payouts/results`, or mark ' +
    'the payouts as paid. If any payout cannot be in the file, none is made, and `data.problems` of ' +
    '`svc_api_not_payable` has a reason for each. The file contains destinations, so it requires a recent proof of a ' +
    'signed-in user, is stored encrypted, and the event `payout_details.revealed` records each of them.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  body: Body,
  example: { body: { format: 'sepa', ids: [31, 32] } },
  status: 201,
  response: PayoutFileContentSchema,
  secretAnswer: true,
  errors: [notPayable, debtorMissing, eurOnly],
  async handle({ db, site, caller, nowMs }, { format, ids, again }) {
    const debtor = requireDebtor(site, format);
    // The rows stay locked, so that no other file gets the same payouts, and none is cancelled before the commit.
    await lockPayoutRows(db, ids);
    const { rows, payments, problems } = await collectPayments(db, site, caller, {
      ids,
      format,
      again,
    });
    if (problems.length > 0) throw new ApiError(notPayable, { data: { problems } });
    const total = payments.reduce((sum, { amount }) => sum + amount, 0);
    const day = site.calendar.dayOf(nowMs);
    const mark = randomBase62(10);
    const content = formats[format].write({
      payments,
      debtor,
      currency: site.currency,
      messageId: `PAYOUTS-${day.replaceAll('-', '')}-${mark}`,
      at: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
      day,
    });
    const by = actorId(caller);
    const file = {
      format,
      name: `payouts-${format}-${day}-${mark}.${formats[format].extension}`,
      payouts: payments.length,
      total,
      created_at: nowMs,
      created_by: by,
    };
    const id = await insertFile(db, site, file, content, ids);
    recordReveals(db, site, caller, toReveals(rows), { nowMs, place: ' in a file' });
    emit(db, payoutFileCreated, {
      objectId: id,
      userId: by,
      info: `File ${id} (${format}) with ${payments.length} payouts was made.`,
      data: {
        file_id: id,
        format,
        payouts: payments.length,
        total: site.currency.toMajor(total),
        currency: site.currency.code,
        created_by: by,
      },
      nowMs,
    });
    const display_name = caller.person?.displayName ?? null;
    const row = { ...file, id, display_name, has_content: 1 };
    return toFileContent(
      row,
      site,
      content,
      ids.toSorted((a, b) => a - b),
    );
  },
});

function requireDebtor({ settings, currency }: Site, format: FileFormat): Debtor {
  const debtor = {
    name: settings.get(debtorName),
    iban: settings.get(debtorIban),
    bic: settings.get(debtorBic),
  };
  if (format !== 'sepa') return debtor;
  if (currency.code !== 'EUR') throw new ApiError(eurOnly);
  if (debtor.name === '' || debtor.iban === '') throw new ApiError(debtorMissing);
  return debtor;
}
