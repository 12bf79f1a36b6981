import { invoke } from '../../src/kernel/call/invoke.ts';
import type { Happening } from '../../src/kernel/declare/demo.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { addReadySeriesOperation } from './api/add-ready-series.ts';
import { changeSeries } from './api/change-series.ts';
import { runSeries } from './series/run-series.ts';
import { listSeriesRows } from './series/series-rows.ts';

const SWITCHED_ON_DAYS_AGO = 18;
/** The demo's store has orders every day, so an affiliate is idle sooner than the ready series says. */
const IDLE_DAYS = 7;

/** One of the ready series is switched on: some people wait in it, others have left it by an order. */
export function seriesHappenings(site: Site): Happening[] {
  const begin = async () => {
    await invoke(site, addReadySeriesOperation, {});
    const ready = await listSeriesRows(site.database.read, {}, { limit: 10, offset: 0 });
    const idle = ready.find(({ starts_on }) => starts_on === 'idle')!;
    await invoke(site, changeSeries, { id: idle.id, idle_days: IDLE_DAYS, active: true });
  };
  const daily = Array.from({ length: SWITCHED_ON_DAYS_AGO }, (_, daysAgo) => ({
    daysAgo,
    happen: () => runSeries.run(site),
  }));
  return [{ daysAgo: SWITCHED_ON_DAYS_AGO, happen: begin }, ...daily];
}
