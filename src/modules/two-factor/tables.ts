import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  totp_secrets: table({
    user_id: integer().key().references('users.id'),
    /** Encrypted. */
    secret: text(),
    /** Null until the user has entered a first code. */
    confirmed_at: integer().orNull(),
    /** The time step of the last accepted code: each code is accepted once. */
    last_step: integer(),
    created_at: integer(),
  }),
  /** A code that has been used is deleted. */
  recovery_codes: table({
    user_id: integer().references('users.id'),
    code_hash: text(),
  }).key('user_id', 'code_hash'),
  passkeys: table({
    id: id(),
    user_id: integer().references('users.id'),
    name: text(),
    /** base64url, as browsers send it. */
    credential_id: text().unique(),
    /** COSE, base64url. */
    public_key: text(),
    /** The signature counter of the authenticator; 0 for the many that do not count. */
    counter: integer(),
    /** JSON array. */
    transports: text(),
    created_at: integer(),
    last_used_at: integer().orNull(),
  }).index('by_user', ['user_id', 'id']),
  /** A challenge is deleted when it is used. */
  passkey_challenges: table({
    challenge_hash: text().key(),
    /** The user who registers a passkey; 0 for a sign-in, whose user is not known yet. */
    user_id: integer(),
    expires_at: integer(),
  }).index('by_expiry', ['expires_at']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
