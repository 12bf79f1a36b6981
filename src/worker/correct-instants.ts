import type { Job } from '../kernel/declare/job.ts';
import { perSite } from '../kernel/declare/site.ts';

/** A smaller difference is no clock change: clocks are slewed, and are not read at the same instant. */
const TOLERANCE_MS = 1_000;

/** The system clock minus the monotonic clock, which changes when the system clock is set. */
const highestOffset = perSite(() => ({ ms: Number.POSITIVE_INFINITY }));

/** Detects that the system clock was set back, and lets every module correct its stored deadlines. */
export const correctInstants: Job = {
  name: 'clock.correct-instants',
  everyMs: 1_000,
  runsOn: 'one',
  async run(site) {
    const highest = highestOffset(site);
    const nowMs = site.clock();
    const offsetMs = nowMs - site.monotonic();
    if (offsetMs >= highest.ms - TOLERANCE_MS) {
      highest.ms = Math.max(highest.ms, offsetMs);
      return;
    }
    for (const module of site.registry.activeModules()) await module.correctInstants?.(site, nowMs);
    if (Number.isFinite(highest.ms)) {
      site.log.warn(
        { seconds: Math.round((highest.ms - offsetMs) / 1000) },
        'the system clock was set back: stored waits were shortened to their rules',
      );
    }
    highest.ms = offsetMs;
  },
};
