import type { Transaction } from '../../../src/db/database.ts';
import { ApiError } from '../../../src/kernel/declare/errors.ts';
import { idleFrom } from './find-idle.ts';
import { wrongSeriesState } from './save-series.ts';
import { emitSwitched } from './series-events.ts';
import {
  listActiveSeries,
  lockSeries,
  newestEvent,
  seriesCursor,
  type SeriesRow,
} from './series-rows.ts';

/** The columns of a series that is switched on or off now. */
export async function switched(
  tx: Transaction,
  series: SeriesRow,
  { isActive, steps, actorId, nowMs }: Switch,
): Promise<Pick<SeriesRow, 'active' | 'activated_at' | 'position'>> {
  const { id, position, activated_at } = series;
  if (isActive && steps === 0) throw new ApiError(wrongSeriesState);
  const wasActive = series.active === 1;
  if (isActive && !wasActive) await beginToFollow(tx);
  if (isActive !== wasActive) emitSwitched(tx, { id, isActive, actorId, nowMs });
  const begins = isActive && !wasActive;
  return {
    active: Number(isActive),
    activated_at: begins ? nowMs : activated_at,
    position: begins && series.idle_days !== null ? idleFrom(nowMs, series.idle_days) : position,
  };
}

interface Switch {
  readonly isActive: boolean;
  /** How many it has. */
  readonly steps: number;
  readonly actorId: number;
  readonly nowMs: number;
}

/** Puts the cursor to the newest event if no series is active, because it rested. */
async function beginToFollow(tx: Transaction): Promise<void> {
  await lockSeries(tx);
  if ((await listActiveSeries(tx)).length > 0) return;
  const [from, { id: newest }] = [await seriesCursor.position(tx), await newestEvent(tx)];
  if (from === undefined) await seriesCursor.begin(tx, newest);
  else if (from < newest) await seriesCursor.move(tx, from, newest);
}
