import Type from 'typebox';
import { query } from '../../../src/db/statements/query.ts';
import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Need, NeedItem } from '../../../src/kernel/declare/overview.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { defineMail } from '../../../src/modules/mail/index.ts';
import { lockConnection } from './connection-rows.ts';
import { mailAdministrators } from './mail-administrators.ts';
import '../texts.ts';

/** For the administrators, when a connected store has not worked for a while. */
export const storeBrokenMail = defineMail(
  'store-broken',
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
    reason: Type.String({ description: 'The problem, in a sentence.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a connected store has not worked for half an hour.',
  },
);

/** For the administrators, when a store that was reported to them works again. */
export const storeRecoveredMail = defineMail(
  'store-recovered',
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a store that was reported to them works again.',
  },
);

/** There are at most a few dozen connections, so the table is read without an index. */
const brokenNow = query<object, NeedItem>((db) =>
  db
    .selectFrom('store_connections')
    .where('state', 'in', ['degraded', 'failed'])
    .select(['id', 'name', 'reason'])
    .orderBy('id'),
);

export const brokenConnections: Need = {
  name: 'stores_failing',
  title: 'Stores that do not work',
  access: 'plugin-admin',
  async read(db) {
    const items = await db.all(brokenNow, {});
    return { count: items.length, items };
  },
};

/** Most stores that fail are back within minutes, and no person can help. The mail names this time. */
const AFTER_MS = 30 * 60_000;

interface Broken {
  id: number;
  name: string;
  reason: string;
  failing_since: number;
}

/**
 * Failing since `before` or longer, and not reported since then. There are at most a few dozen connections, so the
 * table is read without an index.
 */
const unreported = query<{ before: number; id?: number | undefined }, Broken>((db, p, given) =>
  db
    .selectFrom('store_connections')
    .select(['id', 'name', 'reason'])
    .select((eb) => eb.ref('failing_since').$castTo<number>().as('failing_since'))
    .where('state', 'in', ['degraded', 'failed'])
    .where('failing_since', '<=', p.before)
    .where((eb) =>
      eb.or([
        eb('reported_since', 'is', null),
        eb('reported_since', '!=', eb.ref('failing_since')),
      ]),
    )
    .$if(given('id'), (q) => q.where('id', '=', p.id)),
);

interface Recovered {
  id: number;
  name: string;
  reported_since: number;
}

/** Reported, and working again. A paused or deleted one does not work. */
const recovered = query<{ id?: number | undefined }, Recovered>((db, p, given) =>
  db
    .selectFrom('store_connections')
    .select(['id', 'name'])
    .select((eb) => eb.ref('reported_since').$castTo<number>().as('reported_since'))
    .where('state', '=', 'connected')
    .where('reported_since', 'is not', null)
    .$if(given('id'), (q) => q.where('id', '=', p.id)),
);

const markReported = query<{ id: number; since: number | null }>((db, p) =>
  db.updateTable('store_connections').set({ reported_since: p.since }).where('id', '=', p.id),
);

/**
 * Mails the administrators about stores that have not worked for a while, and again when they work: each once, until
 * the other has happened.
 */
export const reportBrokenStores: Job = {
  name: 'stores.report',
  everyMs: 60_000,
  runsOn: 'one',
  async run(site) {
    const before = site.clock() - AFTER_MS;
    const { read } = site.database;
    for (const { id } of await read.all(unreported, { before, id: undefined })) {
      await reportBroken(site, id, before);
    }
    for (const { id } of await read.all(recovered, { id: undefined })) {
      await reportRecovered(site, id);
    }
  },
};

function reportBroken(site: Site, id: number, before: number): Promise<void> {
  return site.database.transaction(async (tx) => {
    await lockConnection(tx, id);
    const broken = await tx.first(unreported, { before, id });
    if (!broken) return;
    const { name, reason, failing_since: since } = broken;
    await tx.run(markReported, { id, since });
    const data = { connection_id: id, name, reason };
    await mailAdministrators(tx, site, storeBrokenMail, { id, since, data });
  });
}

function reportRecovered(site: Site, id: number): Promise<void> {
  return site.database.transaction(async (tx) => {
    await lockConnection(tx, id);
    const working = await tx.first(recovered, { id });
    if (!working) return;
    const { name, reported_since: since } = working;
    await tx.run(markReported, { id, since: null });
    const data = { connection_id: id, name };
    await mailAdministrators(tx, site, storeRecoveredMail, { id, since, data });
  });
}
