import { sql } from 'kysely';
import type { Transaction } from '../../src/db/database.ts';
import { readAll, write } from '../../src/db/statements/calls.ts';
import { jsonList } from '../../src/db/statements/rows-query.ts';
import { system } from '../../src/kernel/declare/caller.ts';
import type { Job } from '../../src/kernel/declare/job.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { HOUR_MS, DAY_MS } from '../../src/shared/durations.ts';
import { decide } from './cases/decide.ts';
import { mailReminder } from './review-mails.ts';
import { afterDays, reviewDays } from './settings.ts';

const AT_ONCE_MAX = 200;

interface LongOpen {
  id: number;
  held: number;
}

/** Open cases of which the team was not reminded since they wait for a decision, oldest first. */
const listLongOpen = readAll<{ before: number; limit: number }, LongOpen>((db, p) =>
  db
    .selectFrom('review_cases')
    .select(['id', 'held'])
    .where('state', '=', sql.lit('open'))
    .where(sql<boolean>`coalesce(reopened_at, opened_at) <= ${p.before}`)
    .where('reminded_at', 'is', null)
    .orderBy('id')
    .limit(p.limit),
);

const markReminded = write<{ ids: string; now: number }>((db, p, _given, dialect) =>
  db
    .updateTable('review_cases')
    .set({ reminded_at: p.now })
    .where(dialect.inJsonArray('id', p.ids, 'number')),
);

/** Does with cases that stay open what the owner chose: one mail about all of them, or a decision. */
export const remindOfCases: Job = {
  name: 'review.remind',
  everyMs: HOUR_MS,
  runsOn: 'one',
  async run(site) {
    for (;;) {
      const done = await site.database.transaction((tx) => dealWithSome(tx, site));
      if (done < AT_ONCE_MAX) return;
    }
  },
};

async function dealWithSome(tx: Transaction, site: Site): Promise<number> {
  const nowMs = site.clock();
  const days = site.settings.get(reviewDays);
  const before = nowMs - days * DAY_MS;
  const found = await listLongOpen(tx, { before, limit: AT_ONCE_MAX });
  if (found.length === 0) return 0;
  const after = site.settings.get(afterDays);
  if (after === 'remind') {
    await markReminded(tx, { ids: jsonList(found.map(({ id }) => id)), now: nowMs });
    const held = found.reduce((sum, one) => sum + one.held, 0);
    await mailReminder(tx, site, { count: found.length, days, held }, nowMs);
    return found.length;
  }
  for (const { id } of found) {
    const decision = { decision: after, note: '', tell: true };
    await decide(tx, site, id, decision, { caller: system, nowMs });
  }
  return found.length;
}
