import { query } from '../../db/statements/query.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { enqueueMail } from '../../modules/mail/index.ts';
import { listAdministrators, recipientOf } from '../../modules/users/index.ts';
import { storeBrokenMail } from './broken-mail.ts';
import { lockConnection } from './connection-store.ts';

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

const markReported = query<{ id: number; since: number }>((db, p) =>
  db.updateTable('store_connections').set({ reported_since: p.since }).where('id', '=', p.id),
);

/** Mails the administrators about stores that have not worked for a while: once, until they have worked again. */
export const reportBrokenStores: Job = {
  name: 'stores.report',
  everyMs: 60_000,
  runsOn: 'one',
  async run(site) {
    const before = site.clock() - AFTER_MS;
    for (const { id } of await site.database.read.all(unreported, { before, id: undefined })) {
      await report(site, id, before);
    }
  },
};

function report(site: Site, id: number, before: number): Promise<void> {
  return site.database.transaction(async (tx) => {
    await lockConnection(tx, id);
    const broken = await tx.first(unreported, { before, id });
    if (!broken) return;
    const { name, reason, failing_since: since } = broken;
    await tx.run(markReported, { id, since });
    for (const administrator of await listAdministrators(tx)) {
      enqueueMail(tx, site, storeBrokenMail, {
        to: recipientOf(administrator),
        data: { connection_id: id, name, reason },
        key: `${storeBrokenMail.name}:${id}:${since}:${administrator.id}`,
        nowMs: site.clock(),
      });
    }
  });
}
