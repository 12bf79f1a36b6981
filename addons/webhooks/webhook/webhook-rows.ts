import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { insertOne } from '../../../src/db/statements/calls.ts';
import { saveIn } from '../../../src/db/statements/plain-calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { requireFound } from '../../../src/kernel/declare/errors.ts';
import type { Need, NeedItem } from '../../../src/kernel/declare/overview.ts';
import { lockReceiver } from '../../../src/modules/deliveries/index.ts';

export type WebhookRow = RowOf<'webhooks'>;

export type NewWebhook = Pick<WebhookRow, 'name' | 'url' | 'secret' | 'events' | 'created_at'>;

/** The id of the newest event, or 0. */
const head = sql<number>`coalesce((select max(id) from events), 0)`;

export const insertWebhook = insertOne<NewWebhook, WebhookRow>((db, row) =>
  db
    .insertInto('webhooks')
    .values({ ...row, status: 'active', from_event: head })
    .returningAll(),
);

const byId = query<{ id: number }, WebhookRow>((db, p) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', p.id).where('status', '!=', 'deleted'),
);

export const webhookList = pagedList(
  (db) => db.selectFrom('webhooks').where('status', '!=', 'deleted'),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

const state = [
  'events',
  'status',
  'failures',
  'failing_since',
  'paused_until',
  'last_delivery_at',
  'last_error',
] as const;

export const saveWebhook = saveIn('webhooks', state, 'id');

/** Clears the URL and the secret of a deleted webhook. */
const markDeleted = query<{ id: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ status: 'deleted', name: '', url: '', secret: '', replay_after: null })
    .where('id', '=', p.id)
    .where('status', '!=', 'deleted'),
);

function findWebhook(db: Reader, id: number): Promise<WebhookRow | undefined> {
  return db.first(byId, { id });
}

export async function requireWebhook(db: Reader, id: number): Promise<WebhookRow> {
  return requireFound(await findWebhook(db, id));
}

/** Locks a webhook for changes that depend on what was read. */
export function lockWebhook(tx: Transaction, id: number): Promise<void> {
  return lockReceiver(tx, { name: 'webhook' }, id);
}

/** Returns whether the webhook existed. A job removes its deliveries later, in pieces. */
export async function deleteWebhookRow(tx: Transaction, id: number): Promise<boolean> {
  return (await tx.run(markDeleted, { id })) === 1;
}

/** There are at most a few dozen webhooks, so the table is read without an index. */
const failing = query<object, NeedItem>((db) =>
  db
    .selectFrom('webhooks')
    .where('status', '<>', 'deleted')
    .where('failing_since', 'is not', null)
    .select(['id', 'url as name', 'last_error as reason'])
    .orderBy('id'),
);

export const failingWebhooks: Need = {
  name: 'webhooks_failing',
  title: 'Webhooks that fail',
  access: 'plugin-admin',
  async read(db) {
    const items = await db.all(failing, {});
    return { count: items.length, items };
  },
};
