import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { deliver } from '../announcements/deliver.ts';
import {
  listDueMembers,
  listNextWaiting,
  saveMembers,
  type DueMember,
  type MemberRow,
} from './member-rows.ts';
import { dueAt, LATE_MS, leaveSeries, nextStep } from './membership.ts';
import { emitLeft } from './series-events.ts';
import {
  addMemberCounts,
  findSeries,
  listSteps,
  lockSeries,
  saveReplan,
  type StepRow,
} from './series-rows.ts';

/** Members per transaction: writing the mails of so many takes a few milliseconds. */
const BATCH = 20;
const REPLANNED_AT_ONCE = 200;

/**
 * Sends the next step to members for whom it is due. Receivers, mails and what is next for the members are committed
 * together, so that a crash neither skips nor repeats a step. Returns whether there may be more.
 */
export async function sendSteps(tx: Transaction, site: Site, id: number): Promise<boolean> {
  await lockSeries(tx);
  const series = await findSeries(tx, { id });
  if (series?.active !== 1 || series.replan !== null) return false;
  const nowMs = site.clock();
  const due = await listDueMembers(tx, { series_id: id, now: nowMs, limit: BATCH });
  if (due.length === 0) return false;
  const steps = await listSteps(tx, [id]);
  const isLate = (member: DueMember) => {
    const step = nextStep(member, steps);
    return step !== undefined && dueAt(member, step) < nowMs - LATE_MS;
  };
  const inactive = due.filter((member) => member.is_active === 0);
  const late = due.filter((member) => member.is_active === 1 && isLate(member));
  const ready = due.filter((member) => member.is_active === 1 && !isLate(member));
  if (inactive.length > 0) await leaveSeries(tx, inactive, 'suspended', { nowMs });
  if (late.length > 0) await leaveSeries(tx, late, 'late', { nowMs });
  await advance(tx, site, ready, steps, nowMs);
  return due.length === BATCH;
}

async function advance(
  tx: Transaction,
  site: Site,
  members: readonly DueMember[],
  steps: readonly StepRow[],
  nowMs: number,
): Promise<void> {
  // Without a step left, or with one that was moved to a later day, nothing is sent.
  const sentNow = (member: DueMember) => {
    const step = nextStep(member, steps);
    return step && dueAt(member, step) <= nowMs ? step : undefined;
  };
  for (const [step, some] of Map.groupBy(members, sentNow)) {
    // A member who got it before it was moved to a later day does not get it again.
    if (step)
      await deliver(
        tx,
        site,
        step,
        some.map((one) => ({ ...one, id: one.user_id })),
      );
  }
  const after = members.map((member) => planned(member, steps, nowMs, sentNow(member)));
  await saveMembers(tx, after);
  const completed = after.filter(({ state }) => state === 'completed');
  for (const member of completed) emitLeft(tx, member, 'completed', { nowMs });
  if (completed.length === 0) return;
  const { series_id: id } = completed[0]!;
  await addMemberCounts(tx, { id, entered: 0, completed: completed.length, left_early: 0 });
}

/** A member with its next date, after a step that was sent now. */
function planned(
  member: MemberRow,
  steps: readonly StepRow[],
  nowMs: number,
  sent?: StepRow,
): MemberRow {
  const { series_id, user_id, entered_at } = member;
  const days = sent?.after_days ?? member.days;
  const next = nextStep({ days }, steps);
  return {
    series_id,
    user_id,
    entered_at,
    days,
    reason: '',
    ...(next
      ? { state: 'waiting', due_at: dueAt(member, next), ended_at: null }
      : { state: 'completed', due_at: null, ended_at: nowMs }),
  };
}

/** After a change of the steps: gives waiting members their next date. Returns whether there may be more. */
export async function replanMembers(tx: Transaction, site: Site, id: number): Promise<boolean> {
  await lockSeries(tx);
  const series = await findSeries(tx, { id });
  if (!series || series.replan === null) return false;
  // Only positions are stored there.
  const [at, user_id] = JSON.parse(series.replan) as [number, number];
  const limit = REPLANNED_AT_ONCE;
  const waiting = await listNextWaiting(tx, { series_id: id, at, user_id, limit });
  const steps = await listSteps(tx, [id]);
  const nowMs = site.clock();
  // A member without a step left completes the series when that is noticed, as after the last step.
  await saveMembers(
    tx,
    waiting.map((member) => {
      const next = nextStep(member, steps);
      return { ...member, due_at: next ? dueAt(member, next) : nowMs };
    }),
  );
  const last = waiting.length === limit ? waiting.at(-1) : undefined;
  await saveReplan(tx, {
    id,
    replan: last ? JSON.stringify([last.entered_at, last.user_id]) : null,
  });
  return last !== undefined;
}
