import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { insertHolds } from '../hold/restraint-rows.ts';
import type { Action } from '../rules/rules.ts';
import type { SubjectType } from '../tables.ts';
import { caseOpened, emitCase } from './case-events.ts';
import { concernsMoney } from './case-list-rows.ts';
import {
  findCase,
  insertCase,
  insertHistory,
  lockOpenCase,
  saveJoined,
  type CaseKey,
  type CaseRow,
} from './case-rows.ts';
import { hitsOf, type Hit } from './hit.ts';

/** Enough to decide by; a case of an affiliate may get a hit with every order. */
const HITS_MAX = 50;

/** What a rule has found on a subject. */
export interface Finding {
  readonly hit: Hit;
  readonly action: Exclude<Action, 'off'>;
  readonly subject: { readonly type: SubjectType; readonly id: string | number };
  readonly userId: number;
  /** The referral whose commission is held or void. */
  readonly referral?: { readonly order_id: number; readonly coupon_id: number };
  /** Whether commission of orders that come in while the case is open is held as well. */
  readonly holdsNew?: boolean;
}

/** A case, and whether the finding made it hold commission that it did not hold before. */
type FoundCase = CaseRow & { readonly beginsToHold: boolean };

/**
 * Opens a case for a finding, or adds the finding to the open case on the same subject and affiliate. A rule that
 * rejects opens a case that is decided already, so that a person can undo it.
 */
export async function openOrJoin(
  tx: Transaction,
  site: Site,
  finding: Finding,
  nowMs: number,
): Promise<FoundCase> {
  const { subject, userId, action, referral } = finding;
  const key = { subject_type: subject.type, subject_id: String(subject.id), user_id: userId };
  const open = action === 'reject' ? undefined : await lockOpenCase(tx, key);
  const found = open
    ? await join(tx, open, finding, nowMs)
    : {
        ...(await insert(tx, site, key, finding, nowMs)),
        beginsToHold: action === 'hold',
      };
  if (referral && action !== 'note') {
    await tx.runMany(insertHolds, [{ case_id: found.id, ...referral }]);
  }
  return found;
}

/** A case of mere notes takes the rule of the first finding that holds. */
async function join(
  tx: Transaction,
  open: CaseRow,
  { hit, action, holdsNew }: Finding,
  nowMs: number,
): Promise<FoundCase> {
  const isFirstHold = action === 'hold' && !(await concernsMoney(tx, open.id));
  const joined = {
    id: open.id,
    rule: isFirstHold ? hit.rule : open.rule,
    evidence: JSON.stringify([...hitsOf(open.evidence), hit].slice(-HITS_MAX)),
    holds_new: holdsNew ? 1 : open.holds_new,
  };
  await saveJoined(tx, joined);
  const entry = { case_id: open.id, at: nowMs, actor_id: 0, action: 'joined' as const };
  await insertHistory(tx, { ...entry, note: hit.rule });
  const beginsToHold = isFirstHold || joined.holds_new > open.holds_new;
  return { ...open, ...joined, beginsToHold };
}

async function insert(
  tx: Transaction,
  site: Site,
  key: CaseKey,
  { hit, action, holdsNew }: Finding,
  nowMs: number,
): Promise<CaseRow> {
  const isRejected = action === 'reject';
  const { id } = await insertCase(tx, {
    state: isRejected ? 'rejected' : 'open',
    rule: hit.rule,
    ...key,
    evidence: JSON.stringify([hit]),
    held: 0,
    answer: null,
    answered_at: null,
    opened_at: nowMs,
    decided_at: isRejected ? nowMs : null,
    decided_by: isRejected ? 0 : null,
    note: '',
    tell: 1,
    suspended: 0,
    reminded_at: null,
    holds_new: holdsNew ? 1 : 0,
  });
  const entry = { case_id: id, at: nowMs, actor_id: 0, note: hit.rule };
  await insertHistory(tx, { ...entry, action: 'opened' });
  if (isRejected) await insertHistory(tx, { ...entry, action: 'rejected' });
  const row = (await findCase(tx, { id }))!;
  emitCase(tx, site, caseOpened, row, { actorId: 0, nowMs });
  return row;
}
