import { query } from '../../db/statements/query.ts';
import type { Need } from '../../modules/overview/index.ts';

/** There are at most a few dozen connections, so the table is read without an index. */
const broken = query<object, { connections: number }>((db) =>
  db
    .selectFrom('store_connections')
    .select((eb) => eb.fn.countAll<number>().as('connections'))
    .where('state', 'in', ['degraded', 'failed']),
);

export const brokenConnections: Need = {
  name: 'stores_failing',
  title: 'Stores that do not work',
  access: 'plugin-admin',
  read: async (db) => ({ count: (await db.first(broken, {}))!.connections }),
};
