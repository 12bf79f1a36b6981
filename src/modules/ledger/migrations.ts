import { adding, creating } from '../../db/create-tables.ts';
import type { Migration } from '../../db/migrator.ts';
import { assignAccounts } from './assign-accounts.ts';
import { tables } from './tables.ts';

export const migrations: Migration[] = [
  creating('ledger/0001-baseline', tables, {
    after: (schema, dialect) => [
      // Statements of account found the first entry of a day by it.
      schema.createIndex('ledger_by_time').on('ledger').columns(['coupon_id', 'created_at', 'id']),
      ...dialect.makeAppendOnly('ledger'),
      ...dialect.forbidReplace('ledger'),
    ],
  }),
  adding('ledger/0002-after-0.7.0', tables, {
    before: (schema, dialect) => [
      schema.dropIndex('ledger_by_time'),
      ...dialect.makeChangeable('ledger'),
    ],
    fill: assignAccounts,
  }),
  {
    name: 'ledger/0003-append-only',
    // 0.7.0 would write entries of no account: its instances must be stopped before the upgrade.
    up: (_schema, dialect) => [
      ...dialect.makeAppendOnly('ledger'),
      ...dialect.refuseEarlier('ledger', 'owner_id'),
    ],
  },
];
