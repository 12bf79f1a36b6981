import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { query } from '../../../db/statements/query.ts';
import type { RegistrationRow } from '../registration-rows.ts';
import type { RegistrationStatus } from '../tables.ts';

const OTHERS_MAX = 10;
/** Providers assign the address of a network to another customer sooner or later. */
const NETWORK_MS = 90 * 86_400_000;

/** Another user, with the application that a note is about. */
export interface Other {
  user_id: number;
  display_name: string;
  email: string;
  registration_id: number | null;
  status: RegistrationStatus | null;
}

type Trace = 'mail_pattern' | 'website_place' | 'mail_domain' | 'network_hash';

interface Shared {
  value: string;
  user_id: number;
  since: number;
}

const sharedIn = (column: Trace) =>
  query<Shared, Other>((db, p) =>
    db
      .selectFrom('registrations')
      .innerJoin('users', 'users.id', 'registrations.user_id')
      .select(['registrations.user_id', 'users.display_name', 'users.email'])
      .select(['registrations.id as registration_id', 'registrations.status'])
      .where(`registrations.${column}`, '=', p.value)
      .where('registrations.user_id', '<>', p.user_id)
      .where('registrations.created_at', '>=', p.since)
      .orderBy('registrations.id', 'desc')
      .limit(sql.lit(OTHERS_MAX)),
  );

const shared: Record<Trace, ReturnType<typeof sharedIn>> = {
  mail_pattern: sharedIn('mail_pattern'),
  website_place: sharedIn('website_place'),
  mail_domain: sharedIn('mail_domain'),
  network_hash: sharedIn('network_hash'),
};

/** Applications of other users with the same value in this column. */
export async function sharing(
  db: Reader,
  column: Trace,
  application: RegistrationRow,
  since = 0,
): Promise<Other[]> {
  const value = application[column];
  if (value === '') return [];
  return db.all(shared[column], { value, user_id: application.user_id, since });
}

export function sameNetwork(db: Reader, application: RegistrationRow): Promise<Other[]> {
  return sharing(db, 'network_hash', application, application.created_at - NETWORK_MS);
}

const byAddress = query<{ email_folded: string }, Other>((db, p) =>
  db
    .selectFrom('users')
    .select(['id as user_id', 'display_name', 'email'])
    .select([
      sql<number | null>`null`.as('registration_id'),
      sql<RegistrationStatus | null>`null`.as('status'),
    ])
    .where('email_folded', '=', p.email_folded),
);

/** A user whose address is the plain one of this mailbox. */
export async function userWithMailbox(
  db: Reader,
  mailbox: string,
  butNot: number,
): Promise<Other | undefined> {
  const user = await db.first(byAddress, { email_folded: mailbox });
  return user?.user_id === butNot ? undefined : user;
}

export const earlierApplications = readAll<{ user_id: number; id: number }, Other>((db, p) =>
  db
    .selectFrom('registrations')
    .innerJoin('users', 'users.id', 'registrations.user_id')
    .select(['registrations.user_id', 'users.display_name', 'users.email'])
    .select(['registrations.id as registration_id', 'registrations.status'])
    .where('registrations.user_id', '=', p.user_id)
    .where('registrations.id', '<', p.id)
    .orderBy('registrations.id', 'desc')
    .limit(sql.lit(OTHERS_MAX)),
);
