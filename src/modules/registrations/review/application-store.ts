import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { byNumber } from '../../../db/statements/keyed-query.ts';
import { query } from '../../../db/statements/query.ts';
import type { Tables } from '../../../db/tables.ts';
import type { Slice } from '../../../shared/pagination.ts';
import { hasWord } from '../../roster/index.ts';
import { withApplicant, type RegistrationRow } from '../registration-store.ts';
import type { RegistrationMessagesTable, RegistrationStatus } from '../tables.ts';

/** An application with what the team has done about it. */
export type ApplicationRow = RegistrationRow & { decider_name: string | null; messages: number };

function withTeam(q: ReturnType<typeof withApplicant>) {
  return q
    .leftJoin('users as decider', 'decider.id', 'registrations.decided_by')
    .select('decider.display_name as decider_name')
    .select((eb) =>
      eb
        .selectFrom('registration_messages')
        .whereRef('registration_messages.registration_id', '=', 'registrations.id')
        .select((of) => of.fn.countAll<number>().as('messages'))
        .$asScalar()
        .$notNull()
        .as('messages'),
    );
}

const byId = query<{ id: number }, ApplicationRow>((db, p) =>
  withTeam(withApplicant(db)).where('registrations.id', '=', p.id),
);

export interface ApplicationFilter {
  status?: RegistrationStatus | undefined;
  /** Beginnings of words; an application has a word with each of them. */
  term1?: string | undefined;
  term2?: string | undefined;
  term3?: string | undefined;
}

type Given = (name: keyof ApplicationFilter) => boolean;

const termsOf = (p: ApplicationFilter, given: Given) =>
  (['term1', 'term2', 'term3'] as const).filter(given).map((term) => p[term]);

/** Begins with the applications that have the first word; the others are checked, not searched by. */
function collected(db: Kysely<Tables>, p: ApplicationFilter, given: Given) {
  return termsOf(p, given)
    .reduce((q, term, i) => {
      const id = i === 0 ? sql`registrations.id` : sql`(registrations.id + 0)`;
      return q.where(
        sql<SqlBool>`${id} in (select registration_id from registration_words where ${hasWord(term)})`,
      );
    }, db.selectFrom('registrations'))
    .$if(given('status'), (q) => q.where('status', '=', p.status!));
}

/** Checks one application after the other. */
function walked(db: Kysely<Tables>, p: ApplicationFilter, given: Given) {
  return termsOf(p, given)
    .reduce(
      (q, term) =>
        q.where(
          sql<SqlBool>`exists (select 1 from registration_words
            where registration_id = registrations.id and ${hasWord(term)})`,
        ),
      db.selectFrom('registrations'),
    )
    .$if(given('status'), (q) => q.where('status', '=', p.status!));
}

const count = query<ApplicationFilter, { total: number }>((db, p, given) =>
  collected(db, p, given).select((eb) => eb.fn.countAll<number>().as('total')),
);

type Page = ApplicationFilter & Slice;

const idsIn = (matches: typeof collected, order: 'asc' | 'desc') =>
  query<Page, { id: number }>((db, p, given) =>
    matches(db, p, given)
      .select('registrations.id')
      .orderBy('registrations.id', order)
      .limit(p.limit)
      .offset(p.offset),
  );
const few = { oldest: idsIn(collected, 'asc'), newest: idsIn(collected, 'desc') };
const many = { oldest: idsIn(walked, 'asc'), newest: idsIn(walked, 'desc') };

/** With more matches than this, a walk along the index passes few others before a page is full. */
const FEW_MAX = 3_000;

const rows = byNumber<ApplicationRow>((db, isKey) =>
  withTeam(withApplicant(db)).where(isKey('registrations.id')),
);

export function findApplication(db: Reader, id: number): Promise<ApplicationRow | undefined> {
  return db.first(byId, { id });
}

export async function countApplications(db: Reader, filter: ApplicationFilter): Promise<number> {
  return (await db.first(count, filter))!.total;
}

export async function listApplicationRows(
  db: Reader,
  filter: ApplicationFilter,
  { first, total, ...slice }: Slice & { first: 'oldest' | 'newest'; total: number },
): Promise<ApplicationRow[]> {
  const ids = await db.all((total <= FEW_MAX ? few : many)[first], { ...filter, ...slice });
  const read = await db.allByKeys(
    rows,
    ids.map(({ id }) => id),
  );
  const rowOf = new Map(read.map((row) => [row.id, row]));
  return ids.flatMap(({ id }) => rowOf.get(id) ?? []);
}

type Message = Selectable<RegistrationMessagesTable>;

const insertMessage = query<Omit<Message, 'id'>, { id: number }>((db, p) =>
  db
    .insertInto('registration_messages')
    .values({
      registration_id: p.registration_id,
      author_id: p.author_id,
      text: p.text,
      created_at: p.created_at,
    })
    .returning('id'),
);

const messagesOf = query<{ registration_id: number }, Message & { author: string }>((db, p) =>
  db
    .selectFrom('registration_messages')
    .innerJoin('users', 'users.id', 'registration_messages.author_id')
    .selectAll('registration_messages')
    .select('users.display_name as author')
    .where('registration_id', '=', p.registration_id)
    .orderBy('registration_messages.id'),
);

export async function saveMessage(tx: Transaction, message: Omit<Message, 'id'>): Promise<number> {
  return (await tx.first(insertMessage, message))!.id;
}

export function listMessages(
  db: Reader,
  registrationId: number,
): Promise<(Message & { author: string })[]> {
  return db.all(messagesOf, { registration_id: registrationId });
}
