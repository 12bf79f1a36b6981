import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import type { PersonalData, PersonErasure } from '../privacy/index.ts';
import { historyList } from './history-rows.ts';
import { findLinksOf } from './import-rows.ts';
import { toHistory } from './list-history.ts';
import type { LinkKind } from './tables.ts';

const HISTORY_MAX = 10_000;

/** What was brought from another system about a person. */
export const importsOfPerson: PersonalData = {
  section: 'imports',
  async read(db, site, { id }) {
    const links = await findLinksOf(db, [id]);
    const history = await historyList.page(db, { user_id: id }, { limit: HISTORY_MAX, offset: 0 });
    return {
      known_as: links
        .filter(({ kind, external_id }) => kind === 'affiliate' && external_id !== '')
        .map(({ system, external_id }) => ({ system, external_id })),
      history: history.map((row) => toHistory(row, site)),
    };
  },
};

/** The numbers of orders lead to no person here, and an undo needs them. */
const forgetIds = query<{ user_id: number }>((db, p) =>
  db
    .updateTable('import_links')
    .set({ external_id: '' })
    .where('user_id', '=', p.user_id)
    .where('kind', '<>', sql.lit<LinkKind>('order')),
);

/** The id in the old system leads to the person there. Amounts and days stay, as orders do. */
export const eraseImportedIds: PersonErasure = {
  async erase(tx, { user }) {
    await tx.run(forgetIds, { user_id: user.id });
  },
};
