import { sql } from 'kysely';
import { readOne } from '../../src/db/statements/calls.ts';
import { defineMetrics, gauge, secondsLate } from '../../src/kernel/declare/metric.ts';

interface OpenSums {
  count: number;
  held: number;
  oldest: number | null;
}

/** Open cases are few: each waits for a person. */
const openSums = readOne<object, OpenSums>((db) =>
  db
    .selectFrom('review_cases')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('held'), sql.lit(0)).as('held'),
      fn.min<number | null>('opened_at').as('oldest'),
    ])
    .where('state', '=', sql.lit('open')),
);

export const reviewMetrics = [
  defineMetrics(
    {
      open: gauge('tributary_review_cases_open', 'Open cases of the review.'),
      held: gauge(
        'tributary_review_held_minor',
        "Commission that open cases hold, in minor units of the store's currency.",
      ),
      oldest: gauge('tributary_review_oldest_seconds', 'Age of the oldest open case in seconds.'),
    },
    async (site) => {
      const { count, held, oldest } = await openSums(site.database.read);
      return { open: count, held, oldest: secondsLate(site, oldest) };
    },
  ),
];
