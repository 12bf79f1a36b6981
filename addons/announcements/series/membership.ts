import type { Transaction } from '../../../src/db/database.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import type { LeaveReason } from '../tables.ts';
import { insertMembers, listEntered, saveMembers, type MemberRow } from './member-rows.ts';
import { emitEntered, emitLeft } from './series-events.ts';
import { addMemberCounts, type SeriesRow, type StepRow } from './series-rows.ts';

/** What is later than this says nothing any more: a welcome weeks after the first order. */
export const LATE_MS = 7 * DAY_MS;

export interface Entrant {
  readonly userId: number;
  /** When it happened: the delays of the steps begin there. */
  readonly atMs: number;
}

/** The first step that is not behind a member yet. */
export function nextStep(
  { days }: Pick<MemberRow, 'days'>,
  steps: readonly StepRow[],
): StepRow | undefined {
  return steps.find(({ after_days }) => after_days > days);
}

export function dueAt(
  { entered_at }: Pick<MemberRow, 'entered_at'>,
  { after_days }: StepRow,
): number {
  return entered_at + after_days * DAY_MS;
}

/** Adds people to a series, each once ever. */
export async function enterSeries(
  tx: Transaction,
  { id }: SeriesRow,
  steps: readonly StepRow[],
  entrants: readonly Entrant[],
): Promise<void> {
  const [first] = steps;
  if (!first || entrants.length === 0) return;
  const ids = jsonList(entrants.map(({ userId }) => userId));
  const known = new Set((await listEntered(tx, { series_id: id, ids })).map((one) => one.user_id));
  const added: MemberRow[] = [];
  for (const { userId, atMs } of entrants) {
    if (known.has(userId)) continue;
    known.add(userId);
    const member = { series_id: id, user_id: userId, entered_at: atMs, days: -1 };
    const due_at = dueAt(member, first);
    added.push({ ...member, state: 'waiting', reason: '', due_at, ended_at: null });
    emitEntered(tx, member, atMs);
  }
  if (added.length === 0) return;
  await insertMembers(tx, added);
  await addMemberCounts(tx, { id, entered: added.length, completed: 0, left_early: 0 });
}

/** Ends the waiting of members, also of several series. */
export async function leaveSeries(
  tx: Transaction,
  members: readonly MemberRow[],
  reason: LeaveReason,
  { actorId = 0, nowMs }: { actorId?: number; nowMs: number },
): Promise<void> {
  await saveMembers(
    tx,
    members.map((member) => ended(member, reason, nowMs)),
  );
  for (const member of members) emitLeft(tx, member, reason, { actorId, nowMs });
  for (const [id, some] of Map.groupBy(members, ({ series_id }) => series_id)) {
    await addMemberCounts(tx, { id, entered: 0, completed: 0, left_early: some.length });
  }
}

/** Only the columns of the table: members come with those of their user. */
function ended(member: MemberRow, reason: LeaveReason, nowMs: number): MemberRow {
  const { series_id, user_id, entered_at, days } = member;
  return {
    series_id,
    user_id,
    entered_at,
    days,
    state: 'left',
    reason,
    due_at: null,
    ended_at: nowMs,
  };
}
