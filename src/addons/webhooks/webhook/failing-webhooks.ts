import { readCount } from '../../../db/lists/paged-list.ts';
import type { Need } from '../../../kernel/declare/overview.ts';

/** There are at most a few dozen webhooks, so the table is read without an index. */
const failing = readCount((db) =>
  db.selectFrom('webhooks').where('status', '<>', 'deleted').where('failing_since', 'is not', null),
);

export const failingWebhooks: Need = {
  name: 'webhooks_failing',
  title: 'Webhooks that fail',
  access: 'plugin-admin',
  read: async (db) => ({ count: await failing(db, {}) }),
};
