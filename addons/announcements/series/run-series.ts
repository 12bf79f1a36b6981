import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { hasRoomForMails } from '../announcements/send-announcements.ts';
import { enterIdle } from './find-idle.ts';
import { followEvents } from './follow-events.ts';
import { replanMembers, sendSteps } from './send-steps.ts';
import { listActiveSeries, type SeriesRow } from './series-rows.ts';

const RUN_MS_MAX = 10_000;

/** Lets people enter and leave series, and sends the steps that are due. Without an active series it reads nothing else. */
export const runSeries: Job = {
  name: 'announcements.series',
  everyMs: 5_000,
  runsOn: 'one',
  async run(site) {
    const { read } = site.database;
    const active = await listActiveSeries(read);
    if (active.length === 0) return;
    const untilMs = performance.now() + RUN_MS_MAX;
    const isTime = () => performance.now() < untilMs;
    while (isTime() && (await followEvents(site)));
    for (const series of active) {
      while (isTime() && series.starts_on === 'idle' && (await enterIdle(site, series)));
      while (isTime() && (await advance(site, series)));
    }
  },
};

async function advance(site: Site, { id, replan }: SeriesRow): Promise<boolean> {
  const { transaction } = site.database;
  if (replan !== null) while (await transaction((tx) => replanMembers(tx, site, id)));
  return (await hasRoomForMails(site)) && transaction((tx) => sendSteps(tx, site, id));
}
