import { query } from '../../db/statements/query.ts';
import type { Need } from '../../modules/overview/index.ts';

/** There are at most a few dozen webhooks, so the table is read without an index. */
const failing = query<object, { webhooks: number }>((db) =>
  db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('webhooks'))
    .where('status', '<>', 'deleted')
    .where('failing_since', 'is not', null),
);

export const failingWebhooks: Need = {
  name: 'webhooks_failing',
  title: 'Webhooks that fail',
  access: 'plugin-admin',
  read: async (db) => ({ count: (await db.first(failing, {}))!.webhooks }),
};
