import { readCount } from '../../../db/lists/paged-list.ts';
import type { Need } from '../../../kernel/declare/overview.ts';

/** There are at most a few dozen connections, so the table is read without an index. */
const broken = readCount((db) =>
  db.selectFrom('store_connections').where('state', 'in', ['degraded', 'failed']),
);

export const brokenConnections: Need = {
  name: 'stores_failing',
  title: 'Stores that do not work',
  access: 'plugin-admin',
  read: async (db) => ({ count: await broken(db, {}) }),
};
