import type { Reader, Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';

export type WebhookDay = RowOf<'webhook_days'>;

const key = ['webhook_id', 'day'] as const;

const addDelivered = insertRows<WebhookDay>('webhook_days', {
  on: key,
  add: ['delivered'],
});
const addFailed = insertRows<WebhookDay>('webhook_days', {
  on: key,
  add: ['delivered', 'failed'],
  set: ['last_error', 'last_error_at'],
});

/** In order; days without attempts are absent. */
export const listDays = readAll<{ webhook_id: number; from: string; to: string }, WebhookDay>(
  (db, p) =>
    db
      .selectFrom('webhook_days')
      .selectAll()
      .where('webhook_id', '=', p.webhook_id)
      .where('day', '>=', p.from)
      .where('day', '<=', p.to)
      .orderBy('day'),
);

export interface AttemptCounts {
  webhook_id: number;
  delivered: number;
  failed: number;
}

/** The sums of several webhooks: at most one row per webhook and day is read. */
const sums = query<{ ids: string; from: string }, AttemptCounts>((db, p, _given, dialect) =>
  db
    .selectFrom('webhook_days')
    .select((eb) => [
      'webhook_id',
      eb.fn.sum<number>('delivered').as('delivered'),
      eb.fn.sum<number>('failed').as('failed'),
    ])
    .where(dialect.inJsonArray('webhook_id', p.ids, 'number'))
    .where('day', '>=', p.from)
    .groupBy('webhook_id'),
);

/** Adds attempts to their days. The locks of the webhooks keep concurrent transactions apart. */
export async function addToDays(tx: Transaction, days: readonly WebhookDay[]): Promise<void> {
  const [good, bad] = [
    days.filter((day) => day.failed === 0),
    days.filter((day) => day.failed > 0),
  ];
  await tx.runMany(addDelivered, good);
  await tx.runMany(addFailed, bad);
}

export async function sumsSince(
  db: Reader,
  webhookIds: readonly number[],
  from: string,
): Promise<Map<number, AttemptCounts>> {
  const rows = await db.all(sums, { ids: JSON.stringify(webhookIds), from });
  return new Map(rows.map((row) => [row.webhook_id, row]));
}
