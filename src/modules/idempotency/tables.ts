/** Stored responses to requests that carry an `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  identity: string;
  /** A keyed hash of the route and the caller's key. */
  key: string;
  /** A keyed hash of the request's input. */
  request_hash: string;
  /** 0 while a running request holds the key; the body is then the id of its reservation. */
  status: number;
  /** Encrypted, like the body: a response may contain a secret that is shown only once. */
  headers: string;
  body: string;
  created_at: number;
  expires_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeysTable;
  }
}
