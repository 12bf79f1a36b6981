import { actorId, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { AffiliateRow } from '../../../modules/affiliates/index.ts';
import { emit } from '../../../modules/events/index.ts';
import { enqueueMail } from '../../../modules/mail/index.ts';
import { recipientOf } from '../../../modules/users/index.ts';
import { randomBase62 } from '../../../shared/secrets.ts';
import { findDestination, toPayoutDetails, type PayoutDetails } from './payout-details.ts';
import { detailsRevealed } from '../payout/payout-events.ts';
import { detailsRevealedMail } from '../mails/payout-mails.ts';
import { revealMail } from '../settings.ts';

/**
 * Returns the unmasked destination, for a payment made by hand. The event is committed first, so nothing is revealed
 * without a record of it.
 */
export function revealDetails(
  site: Site,
  caller: Caller,
  affiliate: AffiliateRow,
  payoutId: number | undefined,
  nowMs: number,
): Promise<PayoutDetails> {
  const by = actorId(caller);
  return site.database.transaction(async (tx) => {
    const destination = await findDestination(tx, site, affiliate.id, payoutId);
    if (!destination) {
      if (payoutId !== undefined) throw new ApiError(generalErrors.notFound);
      return toPayoutDetails(site, undefined);
    }
    emit(tx, detailsRevealed, {
      objectId: affiliate.id,
      userId: by,
      info: `Payout details of affiliate ${affiliate.id} were revealed.`,
      data: {
        user_id: affiliate.id,
        revealed_by: by,
        method_type: destination.methodType,
        payout_id: payoutId ?? null,
      },
      nowMs,
    });
    if (site.settings.get(revealMail)) {
      enqueueMail(tx, site, detailsRevealedMail, {
        to: recipientOf(affiliate),
        data: { name: affiliate.display_name },
        key: `${detailsRevealedMail.name}:${affiliate.id}:${randomBase62(12)}`,
        nowMs,
      });
    }
    return {
      ...toPayoutDetails(site, destination),
      date_saved: site.calendar.toLocal(destination.savedAt),
      details: destination.details,
    };
  });
}
