import { sql } from 'kysely';
import { readCount } from '../../src/db/lists/paged-list.ts';
import { write } from '../../src/db/statements/calls.ts';
import { removeFrom } from '../../src/db/statements/plain-calls.ts';
import { rowsOfUser, type PersonErasure } from '../../src/modules/privacy/index.ts';

/** The cases about a person. What rules found may concern customers too, so it is not part of it. */
export const casesOfPerson = rowsOfUser(
  'cases',
  ['opened_at', 'answered_at', 'decided_at'],
  (db, userId) =>
    db
      .selectFrom('review_cases')
      .select([
        'id',
        'state',
        'rule',
        'subject_type',
        'subject_id',
        'held',
        'answer',
        'answer_file',
      ])
      .select(['opened_at', 'answered_at', 'decided_at'])
      .select(sql<string>`case when tell = 1 then note else '' end`.as('note'))
      .where('user_id', '=', userId)
      .orderBy('id'),
  (row, { currency }) => ({ held: currency.toMajor(row.held) }),
);

type OfUser = { user_id: number };

const open = readCount((db, p: OfUser) =>
  db
    .selectFrom('review_cases')
    .where('user_id', '=', p.user_id)
    .where('state', '=', sql.lit('open')),
);

const eraseCases = write<OfUser>((db, p) =>
  db
    .updateTable('review_cases')
    .set({ evidence: sql.lit(''), answer: null, answer_file: null, note: sql.lit('') })
    .where('user_id', '=', p.user_id),
);

const eraseHistory = write<OfUser>((db, p) =>
  db
    .updateTable('review_history')
    .set({ note: sql.lit('') })
    .where('case_id', 'in', (eb) =>
      eb.selectFrom('review_cases').select('id').where('user_id', '=', p.user_id),
    ),
);

const eraseDevices = removeFrom('review_devices', 'user_id');

/** Erases the evidence, the answers and the notes; the files of answers are files of the person. Decisions and sums stay. */
export const eraseEvidence: PersonErasure = {
  openMoney: async (db, _site, userId) => ({ open_cases: await open(db, { user_id: userId }) }),
  async erase(tx, { user }) {
    await eraseCases(tx, { user_id: user.id });
    await eraseHistory(tx, { user_id: user.id });
    await eraseDevices(tx, { user_id: user.id });
  },
};
