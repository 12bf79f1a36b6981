import type { Reader, Transaction } from '../../../src/db/database.ts';
import type { NewRowOf } from '../../../src/db/tables.ts';
import { defineError, requireFound } from '../../../src/kernel/declare/errors.ts';
import type { Texts } from '../announcements/announcement-mail.ts';
import { insertAnnouncement } from '../announcements/announcement-rows.ts';
import type { SeriesStart } from '../tables.ts';
import {
  findSeries,
  insertSeries,
  insertStep,
  saveStep,
  saveStepTexts,
  type SeriesRow,
  type StepRow,
} from './series-rows.ts';

export const wrongSeriesState = defineError(
  'svc_api_series_state',
  409,
  'This is not possible: an active series cannot be deleted, and one without steps cannot be switched on.',
);

export async function requireSeries(db: Reader, id: number): Promise<SeriesRow> {
  return requireFound(await findSeries(db, { id }));
}

const IDLE_DAYS = 60;

/** The days without an order that belong to a start. */
export function idleDaysOf(start: SeriesStart, given: number | null | undefined): number | null {
  return start === 'idle' ? (given ?? IDLE_DAYS) : null;
}

export interface StepInput {
  /** Of a step that there is already. */
  readonly id?: number;
  readonly after_days: number;
  readonly texts: Texts;
}

export interface Author {
  readonly actorId: number;
  readonly nowMs: number;
}

/** It is off. */
export async function insertNewSeries(
  tx: Transaction,
  fields: Pick<NewRowOf<'series'>, 'name' | 'starts_on' | 'idle_days' | 'ends_on_order'>,
  steps: readonly StepInput[],
  author: Author,
): Promise<number> {
  const { id } = await insertSeries(tx, {
    ...fields,
    active: 0,
    activated_at: null,
    replan: null,
    removed_at: null,
    created_at: author.nowMs,
    created_by: author.actorId,
  });
  for (const step of steps) await addStep(tx, id, step, author);
  return id;
}

async function addStep(
  tx: Transaction,
  seriesId: number,
  { after_days, texts }: StepInput,
  { actorId, nowMs }: Author,
): Promise<void> {
  const { id } = await insertAnnouncement(tx, {
    state: 'series',
    texts: JSON.stringify(texts),
    segment: '{}',
    by_mail: 1,
    in_portal: 0,
    send_at: null,
    created_at: nowMs,
    created_by: actorId,
    started_at: null,
    ended_at: null,
    position: null,
  });
  await insertStep(tx, { announcement_id: id, series_id: seriesId, after_days, removed_at: null });
}

/** Replaces the steps: those that are not given are removed, those without an id are new. */
export async function replaceSteps(
  tx: Transaction,
  seriesId: number,
  before: readonly StepRow[],
  after: readonly StepInput[],
  author: Author,
): Promise<void> {
  const kept = new Set(after.map(({ id }) => id));
  for (const { id, after_days } of before) {
    if (kept.has(id)) continue;
    await saveStep(tx, { announcement_id: id, after_days, removed_at: author.nowMs });
  }
  for (const step of after) {
    if (step.id === undefined) {
      await addStep(tx, seriesId, step, author);
      continue;
    }
    const { id, after_days } = step;
    await saveStep(tx, { announcement_id: id, after_days, removed_at: null });
    await saveStepTexts(tx, { id, texts: JSON.stringify(step.texts) });
  }
}
