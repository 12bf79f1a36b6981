import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'two-factor/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('totp_secrets')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('confirmed_at', bigInteger)
        .addColumn('last_step', bigInteger, (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema
        .createTable('recovery_codes')
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('code_hash', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash']),
      schema
        .createTable('passkeys')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('credential_id', 'text', (c) => c.notNull().unique())
        .addColumn('public_key', 'text', (c) => c.notNull())
        .addColumn('counter', bigInteger, (c) => c.notNull())
        .addColumn('transports', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('last_used_at', bigInteger),
      schema.createIndex('passkeys_by_user').on('passkeys').columns(['user_id', 'id']),
      schema
        .createTable('passkey_challenges')
        .addColumn('challenge_hash', 'text', (c) => c.primaryKey())
        .addColumn('user_id', bigInteger, (c) => c.notNull())
        .addColumn('expires_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('passkey_challenges_by_expiry')
        .on('passkey_challenges')
        .column('expires_at'),
    ],
  },
];
