import type { Reader, Transaction } from '../../../src/db/database.ts';
import { byNumber } from '../../../src/db/statements/keyed-query.ts';
import { mayEdit, type Caller, type Person } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { UserRow } from '../../../src/modules/users/index.ts';
import { readPayoutDetails } from '../details/details-rows.ts';
import { invalidTransition } from '../payout/apply-payout-change.ts';
import { inReview, objectionsTo } from '../payout/objections.ts';
import { selectPayouts, type PayoutRow } from '../payout/payout-rows.ts';
import { noPayoutDetails } from '../payout/payout-rules.ts';
import type { FileFormat } from '../tables.ts';
import { formats } from './formats.ts';
import type { Payment } from './payment-file.ts';
import { findFilesOf } from './payout-file-rows.ts';

export type PaymentRow = PayoutRow & Pick<UserRow, 'login' | 'role'>;

const locked = byNumber<{ id: number }>((db, isKey, dialect) =>
  dialect.lockForUpdate(
    db.selectFrom('payouts').select('payouts.id').where(isKey('payouts.id')).orderBy('payouts.id'),
  ),
);

/** Locks payouts until the transaction ends: no other transaction changes them before. */
export async function lockPayoutRows(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.allByKeys(locked, ids);
}

const byId = byNumber<PaymentRow>((db, isKey) =>
  selectPayouts(db).select(['users.login', 'users.role']).where(isKey('payouts.id')),
);

export function findPaymentRows(db: Reader, ids: readonly number[]): Promise<PaymentRow[]> {
  return db.allByKeys(byId, ids);
}

export function personOf({ user_id, login, email, display_name, role }: PaymentRow): Person {
  return { id: user_id, login, email, displayName: display_name, role };
}

/** A file shows destinations, so each of them is recorded like one that is revealed alone. */
export function toReveals(rows: readonly PaymentRow[]) {
  return rows.map((row) => ({ ...row, payout_id: row.id }));
}

/** Why a payout cannot be in a file. */
export interface FileProblem {
  readonly payout_id: number;
  readonly code: string;
  readonly message: string;
}

/** The codes of problems that are no errors of another operation. */
const codes = {
  atGateway: 'svc_api_payout_at_gateway',
  otherMethod: 'svc_api_other_method',
  unusable: 'svc_api_destination_unusable',
  inFile: 'svc_api_payout_in_file',
};

/** Reads the payouts of a file with their destinations, and says which cannot be in it. */
export async function collectPayments(
  db: Reader,
  site: Site,
  caller: Caller,
  { ids, format, again }: { ids: readonly number[]; format: FileFormat; again: boolean },
) {
  const rows = new Map((await findPaymentRows(db, ids)).map((row) => [row.id, row]));
  const files = again ? new Map<number, number>() : await findFilesOf(db, ids);
  const objections = await objectionsTo(db, site, ids);
  const payments: Payment[] = [];
  const problems: FileProblem[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    const payment = row?.details ? toPayment(site, row) : undefined;
    const problem =
      refusalOf(row, payment, caller, format) ??
      objectionOf(objections.get(id)) ??
      repetitionOf(files.get(id));
    if (problem) problems.push({ payout_id: id, ...problem });
    else payments.push(payment!);
  }
  return { rows: [...rows.values()], payments, problems };
}

function toPayment(site: Site, row: PaymentRow): Payment {
  const { id, amount, display_name } = row;
  return { payoutId: id, amount, details: readPayoutDetails(site, row), name: display_name };
}

type Reason = Omit<FileProblem, 'payout_id'>;

function refusalOf(
  row: PaymentRow | undefined,
  payment: Payment | undefined,
  caller: Caller,
  format: FileFormat,
): Reason | undefined {
  if (!row) return generalErrors.notFound;
  if (!mayEdit(caller, personOf(row))) return generalErrors.forbidden;
  if (row.status !== 'pending' && row.status !== 'created') {
    const message = `Only a payout that is in review or approved can be paid; this one is ${row.status}.`;
    return { code: invalidTransition.code, message };
  }
  if (row.ask_at !== null) {
    return { code: codes.atGateway, message: 'The gateway is already paying this payout.' };
  }
  const { methodType, error } = formats[format];
  if (!payment) return { code: noPayoutDetails.code, message: 'The payout has no payout details.' };
  if (row.method_type !== methodType) {
    return { code: codes.otherMethod, message: `This payout is paid by ${row.method}.` };
  }
  const message = error(payment);
  return message === undefined ? undefined : { code: codes.unusable, message };
}

function objectionOf(message: string | undefined): Reason | undefined {
  return message === undefined ? undefined : { code: inReview.code, message };
}

function repetitionOf(fileId: number | undefined): Reason | undefined {
  if (fileId === undefined) return undefined;
  return { code: codes.inFile, message: `This payout is already in file ${fileId}.` };
}
