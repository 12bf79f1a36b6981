import { integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  sessions: table({
    token_hash: text().key(),
    user_id: integer().references('users.id'),
    created_at: integer(),
    seen_at: integer(),
    /** The header User-Agent at the sign-in, without control characters and cut off. */
    user_agent: text().default(''),
    /** The network address at the sign-in. */
    address: text().default(''),
    /** When the user last proved who it is; 0 for never. */
    proved_at: integer().default(0),
  })
    .index('by_seen', ['seen_at'])
    .index('by_user', ['user_id']),
  /** Sign-ins that wait for their second step. */
  sign_in_steps: table({
    token_hash: text().key(),
    user_id: integer().references('users.id'),
    attempts: integer(),
    expires_at: integer(),
  })
    .index('by_user', ['user_id'])
    .index('by_expiry', ['expires_at']),
  /** Attempts to sign in, by account, browser or network. */
  sign_in_attempts: table({
    /** A keyed hash. */
    key: text().key(),
    /** Attempts since the last right password. */
    failures: integer(),
    /** Until then the next attempt is refused. */
    free_at: integer(),
    seen_at: integer(),
    /** 1 for a network at which the account has signed in. */
    known: integer<0 | 1>(),
  }).index('by_age', ['known', 'seen_at']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
