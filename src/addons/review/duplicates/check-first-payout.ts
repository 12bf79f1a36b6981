import type { Transaction } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { samePayees, type CheckPayoutRequest } from '../../../modules/ledger/index.ts';
import { findUser } from '../../../modules/users/index.ts';
import { findCase, type CaseRow } from '../cases/case-rows.ts';
import { hitsOf, type Hit } from '../cases/hit.ts';
import { openOrJoin } from '../cases/open-case.ts';
import { insertPayoutMarks } from '../hold/restraint-rows.ts';
import { mailCase } from '../review-mails.ts';
import { rulesNow } from '../settings.ts';
import { findSameDevice } from './same-device.ts';
import { findSameMailbox } from './same-mailbox.ts';

const RULE = 'duplicate_affiliates';

const casesOn = readAll<{ subject_id: string }, Pick<CaseRow, 'id' | 'state' | 'evidence'>>(
  (db, p) =>
    db
      .selectFrom('review_cases')
      .select(['id', 'state', 'evidence'])
      .where('subject_type', '=', 'affiliate')
      .where('subject_id', '=', p.subject_id)
      .orderBy('id', 'desc'),
);

/**
 * Looks for another affiliate who is the same person, when the first payout of an affiliate is requested. The payout is
 * not sent while the case is open, or once it is rejected. A pair that was cleared is not reported again.
 */
export const checkFirstPayout: CheckPayoutRequest = async (
  tx,
  site,
  { user_id: userId, isFirst },
  nowMs,
) => {
  const { action } = rulesNow(site)[RULE];
  if (action === 'off' || !isFirst) return undefined;
  // Another coupon of the affiliate may be paid at the same time.
  await tx.lock(`review.affiliate ${userId}`);
  const cases = (await casesOn(tx, { subject_id: String(userId) })).map((row) => ({
    ...row,
    hits: hitsOf(row.evidence).filter(({ rule }) => rule === RULE),
  }));
  const standing = cases.find(({ state, hits }) => state !== 'cleared' && hits.length > 0);
  const id =
    standing?.id ?? (await openAbout(tx, site, { userId, action, nowMs }, othersIn(cases)));
  if (id === undefined || action === 'note') return undefined;
  return async (payoutId) => {
    await tx.runMany(insertPayoutMarks, [{ case_id: id, payout_id: payoutId }]);
    if (!standing && action === 'hold') {
      await mailCase(tx, site, (await findCase(tx, { id }))!, nowMs);
    }
  };
};

/** The affiliates whom earlier cases were about. */
function othersIn(cases: readonly { readonly hits: readonly Hit[] }[]): Set<number> {
  return new Set(cases.flatMap(({ hits }) => hits.map(({ figures }) => Number(figures['other']))));
}

interface Asked {
  readonly userId: number;
  readonly action: 'note' | 'hold' | 'reject';
  readonly nowMs: number;
}

/** Opens a case if there is another affiliate who was not cleared; resolves to its id. */
async function openAbout(
  tx: Transaction,
  site: Site,
  { userId, action, nowMs }: Asked,
  known: ReadonlySet<number>,
): Promise<number | undefined> {
  const figures = await findOther(tx, site, userId, known);
  if (!figures) return undefined;
  const hit = { rule: RULE, at: nowMs, figures } as const;
  const subject = { type: 'affiliate', id: userId } as const;
  return (await openOrJoin(tx, site, { hit, action, subject, userId }, nowMs)).id;
}

async function findOther(
  tx: Transaction,
  site: Site,
  userId: number,
  known: ReadonlySet<number>,
): Promise<Hit['figures'] | undefined> {
  for (const find of site.registry.contributions(samePayees)) {
    const other = (await find(tx, [userId], [...known])).get(userId);
    if (other !== undefined) return { what: 'destination', other };
  }
  const user = await findUser(tx, userId);
  const other = user && (await findSameMailbox(tx, user, known));
  if (other !== undefined) return { what: 'mailbox', other };
  const sameDevice = await findSameDevice(tx, userId, known);
  return sameDevice === undefined ? undefined : { what: 'device', other: sameDevice };
}
