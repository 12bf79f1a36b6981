import type { Transaction } from '../../../src/db/database.ts';
import { actorId, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, requireFound } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { applyChange, requireAffiliate } from '../../../src/modules/affiliates/index.ts';
import { lockManyOrders } from '../../../src/modules/orders/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { applyRestraints } from '../hold/apply-restraints.ts';
import { mailCase } from '../review-mails.ts';
import { caseDecided, caseReopened, emitCase } from './case-events.ts';
import { concernsMoney } from './case-list-rows.ts';
import {
  findCase,
  insertHistory,
  lockCase,
  lockOpenCase,
  saveDecision,
  saveReopened,
  type CaseRow,
} from './case-rows.ts';

export const decisions = ['clear', 'reject', 'suspend'] as const;

export const caseIsDecided = defineError(
  'svc_api_case_decided',
  409,
  'The case is decided already.',
);
export const caseIsOpen = defineError('svc_api_case_open', 409, 'The case is open.');
export const undoTooLate = defineError(
  'svc_api_undo_too_late',
  409,
  'The decision is too old to be undone.',
);

const UNDO_DAYS = 30;

export interface Decision {
  readonly decision: (typeof decisions)[number];
  readonly note: string;
  /** Whether the affiliate reads the decision and its note. */
  readonly tell: boolean;
}

interface Deciding {
  readonly caller: Caller;
  readonly nowMs: number;
}

/** Orders are locked before cases, as when they come in: what a case holds does not change until the end. */
async function lockCaseAndOrders(tx: Transaction, id: number): Promise<CaseRow | undefined> {
  await lockManyOrders(tx);
  return lockCase(tx, { id });
}

/** Decides an open case. Clearing makes every balance what it would be without the case. */
export async function decide(
  tx: Transaction,
  site: Site,
  id: number,
  { decision, note, tell }: Decision,
  { caller, nowMs }: Deciding,
): Promise<CaseRow> {
  const found = requireFound(await lockCaseAndOrders(tx, id));
  if (found.state !== 'open') throw new ApiError(caseIsDecided);
  const suspends = decision === 'suspend' && (await suspend(tx, site, found, note, caller, nowMs));
  const state = decision === 'clear' ? 'cleared' : 'rejected';
  const by = actorId(caller);
  await saveDecision(tx, {
    id,
    state,
    note,
    decided_at: nowMs,
    decided_by: by,
    tell: tell ? 1 : 0,
    suspended: suspends ? 1 : 0,
  });
  await insertHistory(tx, { case_id: id, at: nowMs, actor_id: by, action: state, note });
  const row = await finish(tx, site, { id, state }, caseDecided, { actorId: by, nowMs });
  if (await concernsMoney(tx, id)) await mailCase(tx, site, row, nowMs);
  return row;
}

/** Undoes a decision: the case is open as before. */
export async function reopen(
  tx: Transaction,
  site: Site,
  id: number,
  { caller, nowMs }: Deciding,
): Promise<CaseRow> {
  const found = requireFound(await lockCaseAndOrders(tx, id));
  if (found.state === 'open') throw new ApiError(caseIsOpen);
  if (nowMs - found.decided_at! > UNDO_DAYS * DAY_MS) throw new ApiError(undoTooLate);
  const other = await lockOpenCase(tx, found);
  if (other) {
    const message = `Case ${other.id} on the same subject is open.`;
    throw new ApiError(caseIsOpen, { message, data: { case_id: other.id } });
  }
  if (found.suspended === 1 && found.user_id !== null) {
    await applyChange(tx, site, caller, { id: found.user_id, status: 'active' }, nowMs);
  }
  const by = actorId(caller);
  await saveReopened(tx, { id, now: nowMs });
  const entry = { case_id: id, at: nowMs, actor_id: by, action: 'reopened' as const };
  await insertHistory(tx, { ...entry, note: '' });
  return finish(tx, site, { id, state: 'open' }, caseReopened, { actorId: by, nowMs });
}

/** Returns whether it suspended the affiliate: one who is suspended already stays so after an undo. */
async function suspend(
  tx: Transaction,
  site: Site,
  { user_id }: CaseRow,
  note: string,
  caller: Caller,
  nowMs: number,
): Promise<boolean> {
  if (user_id === null) return false;
  const { status: before } = await requireAffiliate(tx, user_id);
  if (before === 'suspended') return false;
  const reason = note === '' ? {} : { reason: note };
  await applyChange(tx, site, caller, { id: user_id, status: 'suspended', ...reason }, nowMs);
  return true;
}

async function finish(
  tx: Transaction,
  site: Site,
  decided: Pick<CaseRow, 'id' | 'state'>,
  event: typeof caseDecided,
  context: { readonly actorId: number; readonly nowMs: number },
): Promise<CaseRow> {
  await applyRestraints(tx, site, decided, context);
  await tx.flush();
  const row = (await findCase(tx, { id: decided.id }))!;
  emitCase(tx, site, event, row, context);
  return row;
}
