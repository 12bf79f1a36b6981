import type { Transaction } from '../../../src/db/database.ts';
import { actorId, type Caller } from '../../../src/kernel/declare/caller.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { enqueueMail } from '../../../src/modules/mail/index.ts';
import { recipientOf, type UserRow } from '../../../src/modules/users/index.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { detailsRevealedMail } from '../mails/payout-mails.ts';
import { detailsRevealed } from '../payout/payout-events.ts';
import { revealMail } from '../settings.ts';

/** A destination that is shown unmasked, with its affiliate. */
interface Reveal extends Pick<UserRow, 'display_name' | 'email' | 'language' | 'muted_notices'> {
  readonly user_id: number;
  readonly method_type: string;
  readonly payout_id: number | null;
}

/** Records who sees which destinations. Each affiliate gets one mail, if the setting is on. */
export function recordReveals(
  tx: Transaction,
  site: Site,
  caller: Caller,
  reveals: readonly Reveal[],
  { nowMs, place = '' }: { nowMs: number; place?: '' | ' in a file' },
): void {
  const by = actorId(caller);
  for (const { user_id, method_type, payout_id } of reveals) {
    emit(tx, detailsRevealed, {
      objectId: user_id,
      userId: by,
      info: `Payout details of affiliate ${user_id} were revealed${place}.`,
      data: { user_id, revealed_by: by, method_type, payout_id },
      nowMs,
    });
  }
  if (!site.settings.get(revealMail)) return;
  const affiliates = new Map(reveals.map((reveal) => [reveal.user_id, reveal]));
  for (const affiliate of affiliates.values()) {
    enqueueMail(tx, site, detailsRevealedMail, {
      to: recipientOf(affiliate),
      data: { name: affiliate.display_name },
      key: `${detailsRevealedMail.name}:${affiliate.user_id}:${randomBase62(12)}`,
      nowMs,
    });
  }
}
