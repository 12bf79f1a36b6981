import type { Kysely } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { readCount } from '../../../db/lists/paged-list.ts';
import { collected, givenTerms, hasWord, walked, type Terms } from '../../../db/lists/search.ts';
import { rowsInOrder, sortedIds } from '../../../db/lists/sorted-ids.ts';
import { readAll, readFirst } from '../../../db/statements/calls.ts';
import { rowsByNumber } from '../../../db/statements/keyed-query.ts';
import { rowQuery } from '../../../db/statements/row-query.ts';
import type { RowOf, Tables } from '../../../db/tables.ts';
import { withApplicant, type RegistrationRow } from '../registration-rows.ts';
import type { RegistrationStatus } from '../tables.ts';

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

export const findApplication = readFirst<{ id: number }, ApplicationRow>((db, p) =>
  withTeam(withApplicant(db.selectFrom('registrations'))).where('registrations.id', '=', p.id),
);

export interface ApplicationFilter extends Terms {
  status?: RegistrationStatus | undefined;
}

type Given = (name: keyof ApplicationFilter) => boolean;

const matching =
  (search: typeof collected) => (db: Kysely<Tables>, p: ApplicationFilter, given: Given) => {
    const conditions = givenTerms(p, given).map((term) => ({
      table: 'registration_words' as const,
      column: 'registration_id',
      where: hasWord(term),
    }));
    return search(db.selectFrom('registrations'), 'registrations.id', conditions).$if(
      given('status'),
      (q) => q.where('status', '=', p.status!),
    );
  };

export const countApplications = readCount(matching(collected));

/** The date is that of the id. */
const idsOf = sortedIds(['date'], (_date, direction, matches) => {
  const found = matching(matches === 'few' ? collected : walked);
  return (db, p: ApplicationFilter, given) =>
    found(db, p, given).select('registrations.id').orderBy('registrations.id', direction);
});

const rows = rowsByNumber<ApplicationRow>('id', (db, isKey) =>
  withTeam(withApplicant(db.selectFrom('registrations'))).where(isKey('registrations.id')),
);

export async function listApplicationRows(
  db: Reader,
  filter: ApplicationFilter,
  wanted: Parameters<typeof idsOf>[2],
): Promise<ApplicationRow[]> {
  return rowsInOrder(db, rows, await idsOf(db, filter, wanted));
}

type Message = RowOf<'registration_messages'>;

const insertMessage = rowQuery<Omit<Message, 'id'>, { id: number }>((db, row) =>
  db.insertInto('registration_messages').values(row).returning('id'),
);

export const listMessages = readAll<{ registration_id: number }, Message & { author: string }>(
  (db, p) =>
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
