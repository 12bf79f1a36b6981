import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { insertHolds } from '../hold/restraint-rows.ts';
import type { Action } from '../rules/rules.ts';
import type { SubjectType } from '../tables.ts';
import { caseOpened, emitCase } from './case-events.ts';
import {
  findCase,
  insertCase,
  insertHistory,
  lockOpenCase,
  saveEvidence,
  saveHoldsNew,
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
  readonly userId: number | null;
  /** The referral whose commission is held or void. */
  readonly referral?: { readonly order_id: number; readonly coupon_id: number };
  /** Whether commission of orders that come in while the case is open is held as well. */
  readonly holdsNew?: boolean;
}

/**
 * Opens a case for a finding, or adds the finding to the open case on the same subject. A rule that rejects opens a
 * case that is decided already, so that a person can undo it.
 */
export async function openOrJoin(
  tx: Transaction,
  site: Site,
  finding: Finding,
  nowMs: number,
): Promise<CaseRow & { readonly isNew: boolean; readonly wasHolding: boolean }> {
  const subject = { subject_type: finding.subject.type, subject_id: String(finding.subject.id) };
  const open = finding.action === 'reject' ? undefined : await lockOpenCase(tx, subject);
  const row = open
    ? await join(tx, open, finding, nowMs)
    : await insert(tx, site, subject, finding, nowMs);
  if (finding.referral && finding.action !== 'note') {
    await tx.runMany(insertHolds, [{ case_id: row.id, ...finding.referral }]);
  }
  return { ...row, isNew: !open, wasHolding: open?.holds_new === 1 };
}

async function join(
  tx: Transaction,
  open: CaseRow,
  { hit, holdsNew }: Finding,
  nowMs: number,
): Promise<CaseRow> {
  const hits = [...hitsOf(open.evidence), hit].slice(-HITS_MAX);
  const joined = { id: open.id, evidence: JSON.stringify(hits) };
  await saveEvidence(tx, joined);
  if (holdsNew && open.holds_new === 0) await saveHoldsNew(tx, open);
  const entry = { case_id: open.id, at: nowMs, actor_id: 0, action: 'joined' as const };
  await insertHistory(tx, { ...entry, note: hit.rule });
  return { ...open, ...joined, holds_new: holdsNew ? 1 : open.holds_new };
}

async function insert(
  tx: Transaction,
  site: Site,
  subject: Pick<CaseRow, 'subject_type' | 'subject_id'>,
  { hit, action, userId, holdsNew }: Finding,
  nowMs: number,
): Promise<CaseRow> {
  const isRejected = action === 'reject';
  const { id } = await insertCase(tx, {
    state: isRejected ? 'rejected' : 'open',
    rule: hit.rule,
    ...subject,
    user_id: userId,
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
