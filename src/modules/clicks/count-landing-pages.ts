import type { Job } from '../../kernel/declare/job.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { addLandingClicks, OTHER_PAGES, PAGES_PER_DAY } from './landing-days-rows.ts';

const PATH_LENGTH_MAX = 200;
/** Visible ASCII characters, because browsers encode all others; no query and no fragment. */
const PATH = /^\/[!-"$->@-~]*/;

/** Clicks by path, by day, that are not stored yet. */
const pending = perSite(() => new Map<string, Map<string, number>>());

/**
 * Counts the landing page of a click. The counts stay in memory until a job stores them: all clicks of a day land
 * on a few pages, so that concurrent transactions would wait for the same rows. Those of the last seconds are lost
 * if the process crashes.
 */
export function countLandingPage(site: Site, path: string, atMs: number): void {
  const [valid] = PATH.exec(path) ?? [];
  if (valid === undefined) return;
  const day = site.calendar.dayOf(atMs);
  const days = pending(site);
  let pages = days.get(day);
  if (!pages) days.set(day, (pages = new Map<string, number>()));
  const page = valid.slice(0, PATH_LENGTH_MAX);
  const name = pages.has(page) || pages.size < PAGES_PER_DAY ? page : OTHER_PAGES;
  pages.set(name, (pages.get(name) ?? 0) + 1);
}

/** Stores what was counted. After a failure it is counted again with the next run. */
export const storeLandingPages: Job = {
  name: 'clicks.store-landing-pages',
  everyMs: 5_000,
  runsOn: 'each',
  atStop: true,
  async run(site) {
    const days = pending(site);
    // Clicks go on while these are stored.
    const due = Array.from(days);
    for (const [day, pages] of due) {
      days.delete(day);
      try {
        await site.database.transaction((tx) => addLandingClicks(tx, day, pages));
      } catch (error) {
        const since = days.get(day);
        for (const [path, clicks] of since ?? []) pages.set(path, (pages.get(path) ?? 0) + clicks);
        days.set(day, pages);
        throw error;
      }
    }
  },
};
