import { sql, type Kysely, type Selectable } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import type { Tables } from '../../../db/tables.ts';
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
  /** A pattern for `like`, in lower case. */
  search?: string | undefined;
}

type Given = (name: keyof ApplicationFilter) => boolean;

const searched = ['users.login_folded', 'users.email_folded', 'users.display_name_folded'];

function matching(p: ApplicationFilter) {
  const like = (column: string) => sql`${sql.ref(column)} like ${p.search} escape '\\'`;
  const code = sql`lower(registrations.coupon_code) like ${p.search} escape '\\'`;
  const site = sql`lower(registrations.website) like ${p.search} escape '\\'`;
  return sql<boolean>`(${sql.join([...searched.map(like), code, site], sql` or `)})`;
}

function counted(db: Kysely<Tables>, p: ApplicationFilter, given: Given) {
  return db
    .selectFrom('registrations')
    .$if(given('status'), (q) => q.where('registrations.status', '=', p.status!))
    .$if(given('search'), (q) =>
      q.innerJoin('users', 'users.id', 'registrations.user_id').where(matching(p)),
    );
}

const count = query<ApplicationFilter, { total: number }>((db, p, given) =>
  counted(db, p, given).select((eb) => eb.fn.countAll<number>().as('total')),
);

type Listed = ApplicationFilter & { limit: number; offset: number };

const listIn = (order: 'asc' | 'desc') =>
  query<Listed, ApplicationRow>((db, p, given) =>
    withTeam(
      withApplicant(db)
        .$if(given('status'), (q) => q.where('registrations.status', '=', p.status))
        .$if(given('search'), (q) => q.where(matching(p))),
    )
      .orderBy('registrations.id', order)
      .limit(p.limit)
      .offset(p.offset),
  );
const newestFirst = listIn('desc');
const oldestFirst = listIn('asc');

export function findApplication(db: Reader, id: number): Promise<ApplicationRow | undefined> {
  return db.first(byId, { id });
}

export async function countApplications(db: Reader, filter: ApplicationFilter): Promise<number> {
  return (await db.first(count, filter))!.total;
}

export function listApplicationRows(
  db: Reader,
  filter: ApplicationFilter,
  page: { limit: number; offset: number; oldest: boolean },
): Promise<ApplicationRow[]> {
  const { oldest, ...rest } = page;
  return db.all(oldest ? oldestFirst : newestFirst, { ...filter, ...rest });
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
