import type { Transaction } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';

/**
 * Landing pages that are counted separately per day. Each adds a row that is never removed, and anyone can invent
 * paths, so further ones are counted as `OTHER_PAGES`, which no path can be.
 */
export const PAGES_PER_DAY = 100;
export const OTHER_PAGES = '(other)';

interface LandingClicks {
  path: string;
  clicks: number;
}

interface LandingDay extends LandingClicks {
  day: string;
}

const pathsOfDay = query<{ day: string }, { path: string }>((db, p) =>
  db.selectFrom('landing_days').select('path').where('day', '=', p.day),
);

const addClicks = insertRows<LandingDay>('landing_days', { on: ['day', 'path'], add: ['clicks'] });

interface LandingFilter {
  first: string;
  last: string;
  limit: number;
}

/** The landing pages with most clicks. */
export const listLandingClicks = readAll<LandingFilter, LandingClicks>((db, p) =>
  db
    .selectFrom('landing_days')
    .select((eb) => ['path', eb.fn.sum<number>('clicks').as('clicks')])
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('path')
    .orderBy((eb) => eb.fn.sum('clicks'), 'desc')
    .orderBy('path')
    .limit(p.limit),
);

/** Adds the clicks of a day, by path. */
export async function addLandingClicks(
  tx: Transaction,
  day: string,
  clicksByPath: ReadonlyMap<string, number>,
): Promise<void> {
  const known = new Set((await tx.all(pathsOfDay, { day })).map(({ path }) => path));
  const counted = new Map<string, number>();
  for (const [path, clicks] of clicksByPath) {
    if (known.size < PAGES_PER_DAY) known.add(path);
    const name = known.has(path) ? path : OTHER_PAGES;
    counted.set(name, (counted.get(name) ?? 0) + clicks);
  }
  // In the same order on every instance, so that two of them never wait for each other.
  const rows = [...counted].map(([path, clicks]) => ({ day, path, clicks }));
  await tx.runMany(
    addClicks,
    rows.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  );
}
