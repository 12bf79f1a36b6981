import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { samePayees, type CheckPayoutRequest } from '../../../src/modules/ledger/index.ts';
import { mailboxOf } from '../../../src/shared/email-address.ts';
import { findCase } from '../cases/case-rows.ts';
import { hitsOf, type Hit } from '../cases/hit.ts';
import { openOrJoin } from '../cases/open-case.ts';
import { insertPayoutMarks } from '../hold/restraint-rows.ts';
import { mailCase } from '../review-mails.ts';
import { rulesNow } from '../settings.ts';
import { sharingDevice } from './same-device.ts';
import { mailboxParams, mayShareMailbox, type MailboxParams } from './same-mailbox.ts';

const RULE = 'duplicate_affiliates';

type Found = { what: 'case' | 'mailbox' | 'device'; id: number; text: string; evidence: string };

/**
 * The cases about an affiliate, and the other affiliates who may have the mailbox or applied with the same browser. All
 * in one statement, because each payout needs them, and nearly none has any.
 */
const lookUp = readAll<MailboxParams & { subject_id: string }, Found>((db, p) => {
  const of = (what: Found['what']) => sql<Found['what']>`${sql.lit(what)}`.as('what');
  const nothing = sql<string>`''`;
  return db
    .selectFrom('review_cases')
    .select(({ ref }) => [of('case'), 'id', sql<string>`${ref('state')}`.as('text'), 'evidence'])
    .where('subject_type', '=', 'affiliate')
    .where('subject_id', '=', p.subject_id)
    .unionAll(
      db
        .selectFrom(mayShareMailbox(db, p).as('like'))
        .select([of('mailbox'), 'like.id', 'like.email as text', nothing.as('evidence')]),
    )
    .unionAll(
      sharingDevice(db)
        .where('own.user_id', '=', p.user_id)
        .select([of('device'), 'other.user_id as id', nothing.as('text'), nothing.as('evidence')]),
    )
    .orderBy('id');
});

interface Suspicion {
  /** The newest case that was not cleared. */
  readonly standing: number | undefined;
  /** Another affiliate, if none of the cases is about it. */
  readonly other: Hit['figures'] | undefined;
}

/**
 * Looks for another affiliate who is the same person, when the first payout of an affiliate is requested. The payout is
 * not sent while the case is open, or once it is rejected. A pair that was cleared is not reported again.
 */
export const checkFirstPayout: CheckPayoutRequest = async (
  tx,
  site,
  { user_id: userId, email, isFirst },
  nowMs,
) => {
  const { action } = rulesNow(site)[RULE];
  if (action === 'off' || !isFirst) return undefined;
  let { standing, other } = await suspect(tx, site, userId, email);
  if (standing === undefined && other) {
    // Another coupon of the affiliate may be paid at the same time, and open the case.
    await tx.lock(`review.affiliate ${userId}`);
    ({ standing, other } = await suspect(tx, site, userId, email));
  }
  const id = standing ?? (other && (await openAbout(tx, site, { userId, action, nowMs }, other)));
  if (id === undefined || action === 'note') return undefined;
  return async (payoutId) => {
    await tx.runMany(insertPayoutMarks, [{ case_id: id, payout_id: payoutId }]);
    if (standing === undefined && action === 'hold') {
      await mailCase(tx, site, (await findCase(tx, { id }))!, nowMs);
    }
  };
};

async function suspect(
  tx: Transaction,
  site: Site,
  userId: number,
  email: string,
): Promise<Suspicion> {
  const like = mailboxParams(userId, email);
  const found = await lookUp(tx, { ...like, subject_id: String(userId) });
  const cases = found
    .filter(({ what }) => what === 'case')
    .map(({ id, text: state, evidence }) => ({
      id,
      state,
      hits: hitsOf(evidence).filter(({ rule }) => rule === RULE),
    }));
  const standing = cases.findLast(({ state, hits }) => state !== 'cleared' && hits.length > 0);
  if (standing) return { standing: standing.id, other: undefined };
  const known = othersIn(cases);
  for (const find of site.registry.contributions(samePayees)) {
    const other = (await find(tx, [userId], [...known])).get(userId);
    if (other !== undefined) return { standing: undefined, other: { what: 'destination', other } };
  }
  const others = found.filter(({ what, id }) => what !== 'case' && !known.has(id));
  const same =
    others.find(({ what, text }) => what === 'mailbox' && mailboxOf(text) === like.mailbox) ??
    others.find(({ what }) => what === 'device');
  return { standing: undefined, other: same && { what: same.what, other: same.id } };
}

/** The affiliates whom earlier cases were about. */
function othersIn(cases: readonly { readonly hits: readonly Hit[] }[]): Set<number> {
  return new Set(cases.flatMap(({ hits }) => hits.map(({ figures }) => Number(figures['other']))));
}

interface Asked {
  readonly userId: number;
  readonly action: 'note' | 'hold' | 'reject';
  readonly nowMs: number;
}

/** Opens a case about another affiliate who was not cleared, or joins one; resolves to its id. */
async function openAbout(
  tx: Transaction,
  site: Site,
  { userId, action, nowMs }: Asked,
  figures: Hit['figures'],
): Promise<number> {
  const hit = { rule: RULE, at: nowMs, figures } as const;
  const subject = { type: 'affiliate', id: userId } as const;
  return (await openOrJoin(tx, site, { hit, action, subject, userId }, nowMs)).id;
}
