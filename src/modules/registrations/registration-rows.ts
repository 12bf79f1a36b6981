import type { SelectQueryBuilder } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { writeOne } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { only, rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import { foldAddress } from '../../shared/email-address.ts';
import { markRosterDue } from '../users/index.ts';
import type { RegistrationStatus } from './tables.ts';

type Columns = RowOf<'registrations'>;
type Applicant = Pick<
  RowOf<'users'>,
  'login' | 'email' | 'display_name' | 'role' | 'language' | 'muted_notices'
>;

/** An application with its applicant. */
export type RegistrationRow = Columns & Applicant;

type NewRegistration = Pick<
  Columns,
  | 'user_id'
  | 'coupon_code'
  | 'type'
  | 'promote'
  | 'referrer'
  | 'website'
  | 'custom_fields'
  | 'created_at'
  | 'mail_pattern'
  | 'mail_domain'
  | 'website_place'
  | 'network_hash'
>;

const insert = rowQuery<NewRegistration, { id: number }>((db, row) =>
  db
    .insertInto('registrations')
    .values({ ...row, status: 'pending' })
    .returning('id'),
);

const decided = [
  'status',
  'coupon_code',
  'message',
  'accepted_at',
  'declined_at',
  'decline_reason',
  'decline_note',
  'decided_by',
] as const;

type Decision = Pick<Columns, 'id' | (typeof decided)[number]> & { from: RegistrationStatus };

/** Whether this call decided: of several concurrent calls, only one finds the expected status. */
export const decideRegistration = writeOne<Decision>((db, p) =>
  db
    .updateTable('registrations')
    .set(only(p, decided))
    .where('id', '=', p.id)
    .where('status', '=', p.from),
);

export function withApplicant(q: SelectQueryBuilder<Tables, 'registrations', object>) {
  return (
    q
      // In this order, which SQLite must not change: a list reads one page of the applications.
      .crossJoin('users')
      .whereRef('users.id', '=', 'registrations.user_id')
      .selectAll('registrations')
      .select([
        'users.login',
        'users.email',
        'users.display_name',
        'users.role',
        'users.language',
        'users.muted_notices',
      ])
  );
}

const byId = query<{ id: number }, RegistrationRow>((db, p) =>
  withApplicant(db.selectFrom('registrations')).where('registrations.id', '=', p.id),
);

interface SubmissionSpan {
  login_folded: string;
  email_folded: string;
  since: number;
  until: number;
}

const submittedBetween = query<SubmissionSpan, Pick<Columns, 'id' | 'status'>>((db, p) =>
  db
    .selectFrom('registrations')
    .innerJoin('users', 'users.id', 'registrations.user_id')
    .select(['registrations.id', 'registrations.status'])
    .where('users.login_folded', '=', p.login_folded)
    .where('users.email_folded', '=', p.email_folded)
    .where('registrations.created_at', '>=', p.since)
    .where('registrations.created_at', '<=', p.until),
);

export interface RegistrationFilter {
  status?: RegistrationStatus | undefined;
  user_id?: number | undefined;
}

export const { count: countRegistrations, page: listRegistrationRows } = pagedList(
  (db, p: RegistrationFilter, given) =>
    db
      .selectFrom('registrations')
      .$if(given('status'), (q) => q.where('registrations.status', '=', p.status!))
      .$if(given('user_id'), (q) => q.where('registrations.user_id', '=', p.user_id!)),
  (q) => withApplicant(q).orderBy('registrations.id', 'desc'),
);

/** The roster's next refresh adds the words that it is found by. */
export async function insertRegistration(
  tx: Transaction,
  registration: NewRegistration,
): Promise<number> {
  await markRosterDue(tx, { id: registration.user_id });
  return (await tx.first(insert, registration))!.id;
}

export function findRegistration(db: Reader, id: number): Promise<RegistrationRow | undefined> {
  return db.first(byId, { id });
}

/** The application with this login and email address, if it was submitted in this period. */
export function findSubmittedBetween(
  db: Reader,
  { login, email }: { login: string; email: string },
  { since, until }: { since: number; until: number },
): Promise<Pick<Columns, 'id' | 'status'> | undefined> {
  const [login_folded, email_folded] = [login.toLowerCase(), foldAddress(email)];
  return db.first(submittedBetween, { login_folded, email_folded, since, until });
}

export async function hasPending(db: Reader, userId: number): Promise<boolean> {
  return (await countRegistrations(db, { status: 'pending', user_id: userId })) > 0;
}
