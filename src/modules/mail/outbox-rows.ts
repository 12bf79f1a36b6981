import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { writeOne } from '../../db/statements/calls.ts';
import { claimRows } from '../../db/statements/claim-rows.ts';
import { deleteInBatches } from '../../db/statements/in-batches.ts';
import { byText } from '../../db/statements/keyed-query.ts';
import { findIn } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { MailState } from './tables.ts';

export type OutboxRow = RowOf<'outbox'>;

/** The error of a mail whose recipient is not exactly one address. */
export const NO_ADDRESS = 'This is not a valid email address.';

export type NewMail = Omit<OutboxRow, 'id' | 'attempts' | 'answered' | 'sent_at'>;

const insertAll = insertRows<NewMail>('outbox', { on: ['key'] });

type Due = { now: number; limit: number };

/** Literals, because the planners use a partial index only then. */
const dueWhere = (isToMany: boolean) =>
  query<Due, { id: number }>((db, p) =>
    db
      .selectFrom('outbox')
      .select('id')
      .where('state', '=', sql.lit('pending'))
      .where('unsubscribe', isToMany ? 'is not' : 'is', null)
      .where('next_attempt_at', '<=', p.now)
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(p.limit),
  );

const dueSingle = dueWhere(false);
const dueToMany = dueWhere(true);

const claim = claimRows<OutboxRow>('outbox', {
  column: 'next_attempt_at',
  isFree: (p) => sql<SqlBool>`state = 'pending' and next_attempt_at <= ${p.now}`,
  count: 'attempts',
  returning: '*',
});

const markSent = query<Pick<OutboxRow, 'id' | 'link'> & { sent_at: number }>((db, p) =>
  db
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: p.sent_at, last_error: '', link: p.link })
    .where('id', '=', p.id),
);

type Failure = Pick<
  OutboxRow,
  'id' | 'attempts' | 'state' | 'next_attempt_at' | 'last_error' | 'link'
>;

/** Does nothing if another attempt has started in the meantime: its result counts. */
export const markMailFailed = writeOne<Failure>((db, p) =>
  db
    .updateTable('outbox')
    .set({
      state: p.state,
      next_attempt_at: p.next_attempt_at,
      last_error: p.last_error,
      link: p.link,
      answered: p.attempts,
    })
    .where('id', '=', p.id)
    .where('state', '=', 'pending')
    .where('attempts', '=', p.attempts),
);

/** Makes a mail due again that failed, or may have failed, unless it has lost its link. Returns whether it is due. */
export const retryFailed = writeOne<{ id: number; now: number }>((db, p) =>
  db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, answered: 0, next_attempt_at: p.now })
    .where('id', '=', p.id)
    .where('state', 'in', ['failed', 'unknown'])
    .where('link', 'is', null),
);

export const findMail = findIn('outbox', 'id');

/** Found by the end of the lease under which each was sent, because `outbox_due` has no `sent_at`. */
const removeSentBefore = deleteInBatches<{ before: number }>(
  'outbox',
  'next_attempt_at',
  (p) => sql<SqlBool>`state = 'sent' and next_attempt_at < ${p.before}`,
);

export interface OutboxFilter {
  state?: MailState | undefined;
  template?: string | undefined;
  to?: string | undefined;
  /** To one of these addresses, as a JSON array. */
  among?: string | undefined;
  /** To none of these addresses, as a JSON array. */
  except?: string | undefined;
}

type Given = (name: keyof OutboxFilter) => boolean;

function filtered(db: Kysely<Tables>, p: OutboxFilter, given: Given, { inJsonArray }: Dialect) {
  return db
    .selectFrom('outbox')
    .$if(given('state'), (q) => q.where('state', '=', p.state!))
    .$if(given('template'), (q) => q.where('template', '=', p.template!))
    .$if(given('to'), (q) => q.where('to_address', '=', p.to!))
    .$if(given('among'), (q) => q.where(inJsonArray('to_address', p.among, 'text')))
    .$if(given('except'), (q) =>
      q.where((eb) => eb.not(inJsonArray('to_address', p.except, 'text'))),
    );
}

const { count, page } = pagedList(filtered, (q) => q.selectAll().orderBy('id', 'desc'));
export const listMailRows = page;

/** Skips mails whose key exists already. */
export function insertMails(tx: Transaction, mails: readonly NewMail[]): Promise<void> {
  return tx.runMany(insertAll, mails);
}

/** Mails to one person come before all mails to many. */
export async function listDueMails(db: Reader, now: number, limit: number): Promise<number[]> {
  const found = await db.all(dueSingle, { now, limit });
  if (found.length < limit) {
    found.push(...(await db.all(dueToMany, { now, limit: limit - found.length })));
  }
  return found.map(({ id }) => id);
}

/** Leases mails that are due; another worker may have got some of them. */
export function claimMails(
  tx: Transaction,
  ids: readonly number[],
  lease: { now: number; until: number },
): Promise<OutboxRow[]> {
  return tx.all(claim, { ids: JSON.stringify(ids), ...lease });
}

/** Records the success and erases the one-time link. */
export async function markMailSent(
  tx: Transaction,
  mail: OutboxRow,
  sentAt: number,
): Promise<void> {
  await tx.run(markSent, { id: mail.id, link: erasedLink(mail), sent_at: sentAt });
}

/** What remains of a link: whether there was one. */
export function erasedLink({ link }: Pick<OutboxRow, 'link'>): string | null {
  return link === null ? null : '';
}

/** Without counting all that are left: both counts follow an index. */
export async function countMails(db: Reader, filter: OutboxFilter): Promise<number> {
  const all: OutboxFilter = { ...filter, except: undefined };
  const total = await count(db, all);
  if (filter.except === undefined) return total;
  return total - (await count(db, { ...all, among: filter.except }));
}

type QueuedMail = Pick<
  OutboxRow,
  'id' | 'template' | 'to_name' | 'subject' | 'state' | 'created_at' | 'sent_at'
>;

const byKey = byText<QueuedMail>((db, isKey) =>
  db
    .selectFrom('outbox')
    .select(['id', 'template', 'to_name', 'subject', 'state', 'created_at', 'sent_at'])
    .where(isKey('key'))
    .orderBy('id'),
);

/** The mails with these keys, without their texts. Sent mails are deleted after a while. */
export function findMailsByKey(db: Reader, keys: readonly string[]): Promise<QueuedMail[]> {
  return db.allByKeys(byKey, keys);
}

const SENT_RETENTION_MS = 30 * 24 * 60 * 60_000;

export const pruneOutbox: Job = {
  name: 'mail.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: (site) => removeSentBefore(site.database, { before: site.clock() - SENT_RETENTION_MS }),
};
