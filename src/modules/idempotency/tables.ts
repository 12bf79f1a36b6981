import { integer, shortInteger, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  /** Stored responses to requests that carry an `Idempotency-Key`. */
  idempotency_keys: table({
    identity: text(),
    /** A keyed hash of the route and the caller's key. */
    key: text(),
    /** A keyed hash of the request's input. */
    request_hash: text(),
    /** 0 while a running request holds the key; the body is then the id of its reservation. */
    status: shortInteger(),
    /** Encrypted, like the body: a response may contain a secret that is shown only once. */
    headers: text(),
    body: text(),
    created_at: integer(),
    expires_at: integer().default(0),
  })
    .key('identity', 'key')
    .index('by_expiry', ['expires_at']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
