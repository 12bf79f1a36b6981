import Type from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { Id, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { ifStored, payoutOperation } from '../missing-tables.ts';
import {
  applyPayoutChange,
  insufficientUnpaid,
  invalidTransition,
} from '../payout/apply-payout-change.ts';
import { lockOrdersFor } from '../payout/lock-orders.ts';
import { noteRecorded } from '../payout/objections.ts';
import { findPayout, lockPayout, type PayoutRow } from '../payout/payout-rows.ts';
import { clientStatuses, type PayoutStatus } from '../payout/payout-status.ts';
import { PayoutSchema, readReference, toPayout, TransactionReference } from './payout-wire.ts';

export const changePayoutStatus = payoutOperation({
  method: 'POST',
  namespace: 'v2',
  path: '/payouts/{id}/status',
  summary: 'Change the status of a payout',
  description:
    'Bookkeeping only: the request never calls a gateway, and is not refused because of a case of the review. With ' +
    '`paid` you can send the reference of a payment made by hand; the payout, the event and the email to the affiliate ' +
    'show it.',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The payout.') }),
  body: Type.Object(
    {
      status: StringEnum(clientStatuses, { description: 'The new status.' }),
      transaction_id: Type.Optional(TransactionReference),
    },
    { $id: 'ChangePayoutStatus' },
  ),
  example: { body: { status: 'paid', transaction_id: 'SEPA-2026-0203-31' } },
  response: PayoutSchema,
  errors: [
    generalErrors.notFound,
    generalErrors.noChange,
    invalidTransition,
    insufficientUnpaid,
    generalErrors.conflict,
  ],
  check({ status, transaction_id }, errors) {
    if (status === undefined || status === 'paid' || !readReference(transaction_id)) return;
    errors.add('transaction_id', 'is only allowed with the status paid');
  },
  // The status when the request arrived: if another request changes it before this one's turn, the answer is 409.
  prepare: ({ id }, site) => ifStored(site, () => findPayout(site.database.read, id), undefined),
  async handle({ db, site, caller, nowMs, prepared }, { id, status, transaction_id }) {
    const changed = await changeStatus(db, site, {
      id,
      status,
      seen: prepared?.status,
      transactionId: readReference(transaction_id),
      actorId: actorId(caller),
      nowMs,
    });
    return toPayout(changed, site, 'admin');
  },
});

export interface StatusRequest {
  readonly id: number;
  readonly status: PayoutStatus;
  /** The status when the request arrived; undefined if the payout did not exist. */
  readonly seen: PayoutStatus | undefined;
  readonly transactionId?: string | undefined;
  readonly note?: string | undefined;
  /** What may refuse the change besides. */
  readonly check?: (
    tx: Transaction,
    site: Site,
    payout: PayoutRow,
    to: PayoutStatus,
  ) => Promise<void>;
  readonly actorId: number;
  readonly nowMs: number;
}

/** Changes the status of a payout for an administrator. Refuses if it is no longer what the request saw. */
export async function changeStatus(
  tx: Transaction,
  site: Site,
  { id, status, seen, transactionId, note, check, actorId: by, nowMs }: StatusRequest,
): Promise<PayoutRow> {
  await lockOrdersFor(tx, { from: seen, to: status });
  await lockPayout(tx, id);
  const payout = requireFound(await findPayout(tx, id));
  if (seen && seen !== payout.status) throw new ApiError(generalErrors.conflict);
  if (payout.status === status) throw new ApiError(generalErrors.noChange);
  await check?.(tx, site, payout, status);
  const changed = await applyPayoutChange(tx, site, {
    source: 'admin',
    payout,
    to: status,
    actorId: by,
    nowMs,
    ...(transactionId !== undefined && { transactionId }),
    ...(note !== undefined && { note }),
  });
  await noteRecorded(tx, site, [changed], { actorId: by, nowMs });
  return changed;
}
