import type { Reader, Transaction } from '../../../src/db/database.ts';
import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { payoutObjections, payoutRecords } from '../../../src/modules/ledger/index.ts';
import type { PayoutRow } from './payout-rows.ts';
import type { PayoutStatus } from './payout-status.ts';

export const inReview = defineError(
  'svc_api_payout_in_review',
  409,
  'The payout holds commission that is in review.',
);

/** By the id of the payout, why it must not be paid now. */
export async function objectionsTo(
  db: Reader,
  { registry }: Site,
  payoutIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const points = registry.allContributions(payoutObjections);
  const found = await Promise.all(points.map((object) => object(db, payoutIds)));
  return new Map(found.flatMap((objections) => [...objections]));
}

/** Whether a change brings a payout nearer to its payment. */
export function sendsMoney(status: PayoutStatus): boolean {
  return status === 'created' || status === 'processing' || status === 'paid';
}

/** Notes what an administrator approves or records as paid, where there is an objection. */
export async function noteRecorded(
  tx: Transaction,
  { registry }: Site,
  payouts: readonly Pick<PayoutRow, 'id' | 'status'>[],
  context: { readonly actorId: number; readonly nowMs: number },
): Promise<void> {
  const sent = payouts.filter(({ status }) => sendsMoney(status));
  if (sent.length === 0) return;
  for (const note of registry.allContributions(payoutRecords)) await note(tx, sent, context);
}

/** Throws if a payout must not be approved or paid. */
export async function requireNoObjection(
  db: Reader,
  site: Site,
  { id }: Pick<PayoutRow, 'id'>,
  to: PayoutStatus,
): Promise<void> {
  if (!sendsMoney(to)) return;
  const message = (await objectionsTo(db, site, [id])).get(id);
  if (message !== undefined) throw new ApiError(inReview, { message });
}
