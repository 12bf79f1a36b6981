import type { Transaction } from '../../../db/database.ts';
import { actorId, mayEdit, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { emit } from '../../../modules/events/index.ts';
import { enqueueMail } from '../../../modules/mail/index.ts';
import { recipientOf } from '../../../modules/users/index.ts';
import { randomBase62 } from '../../../shared/secrets.ts';
import { detailsRevealedMail } from '../mails/payout-mails.ts';
import { detailsRevealed } from '../payout/payout-events.ts';
import { revealMail } from '../settings.ts';
import { personOf, type PaymentRow } from './collect-payments.ts';

/** A manager must not see the destination of an administrator. */
export function requireMayReveal(caller: Caller, rows: readonly PaymentRow[]): void {
  if (rows.every((row) => mayEdit(caller, personOf(row)))) return;
  throw new ApiError(generalErrors.forbidden);
}

/** A file shows destinations, so each of them is recorded like one that is revealed alone. */
export function recordReveals(
  tx: Transaction,
  site: Site,
  caller: Caller,
  rows: readonly PaymentRow[],
  nowMs: number,
): void {
  const by = actorId(caller);
  for (const { id, user_id, method_type } of rows) {
    emit(tx, detailsRevealed, {
      objectId: user_id,
      userId: by,
      info: `Payout details of affiliate ${user_id} were revealed in a file.`,
      data: { user_id, revealed_by: by, method_type, payout_id: id },
      nowMs,
    });
  }
  if (!site.settings.get(revealMail)) return;
  const affiliates = new Map(rows.map((row) => [row.user_id, row]));
  for (const row of affiliates.values()) {
    enqueueMail(tx, site, detailsRevealedMail, {
      to: recipientOf(row),
      data: { name: row.display_name },
      key: `${detailsRevealedMail.name}:${row.user_id}:${randomBase62(12)}`,
      nowMs,
    });
  }
}
