import { sql } from 'kysely';
import { readCount } from '../../src/db/lists/paged-list.ts';
import { readOne } from '../../src/db/statements/calls.ts';
import { COUNTED_MAX, defineMetrics, gauge, secondsLate } from '../../src/kernel/declare/metric.ts';

const sending = readCount((db, p: { limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('announcements')
      .select('id')
      .where('state', '=', sql.lit('sending'))
      .limit(p.limit)
      .as('sending'),
  ),
);

/** The sums are stored, and the first date of each series is at the beginning of its index. */
const series = readOne<object, { waiting: number; due_at: number | null }>((db) =>
  db
    .selectFrom('series')
    .select([
      sql<number>`coalesce(sum(entered - completed - left_early), 0)`.as('waiting'),
      sql<number | null>`min((select min(due_at) from series_members
        where series_members.series_id = series.id and due_at is not null))`.as('due_at'),
    ])
    .where('active', '=', sql.lit(1))
    .where('removed_at', 'is', null),
);

export const announcementMetrics = defineMetrics(
  {
    sending: gauge(
      'tributary_announcements_sending',
      `Number of announcements that are being sent, counted up to ${COUNTED_MAX}.`,
    ),
    waiting: gauge(
      'tributary_series_waiting',
      'Number of affiliates who wait for the next email of an active series.',
    ),
    oldest: gauge(
      'tributary_series_oldest_seconds',
      'Seconds since the oldest unsent email of an active series became due.',
    ),
  },
  async (site) => {
    const { read } = site.database;
    const { waiting, due_at } = await series(read);
    return {
      sending: await sending(read, { limit: COUNTED_MAX }),
      waiting,
      oldest: secondsLate(site, due_at),
    };
  },
);
