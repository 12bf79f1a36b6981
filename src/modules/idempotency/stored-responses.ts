import type { Reader, Transaction } from '../../db/database.ts';
import { idempotencyMismatch } from '../../kernel/call/idempotency-key.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { sameSecret, type SecretLocation } from '../../shared/secrets.ts';
import { findRow, putRow, removeReservation, RESERVED } from './response-rows.ts';

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly identity: string;
  /** `POST /svc/v2/keys`: the same key on another route is another key. */
  readonly route: string;
  readonly key: string;
  readonly input: Record<string, unknown>;
  /** How long its response is replayed. */
  readonly storedMs: number;
}

/** A response as it was sent, byte for byte. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string;
}

/**
 * Reserves a key while its request runs outside of a transaction. The name is random, so that a process
 * whose reservation has expired does not change the one of another process.
 */
export interface Reservation {
  readonly name: string;
  readonly lastsMs: number;
}

export interface StoredResponses {
  /** Throws `idempotencyMismatch` when the key was used for another request. */
  find(db: Reader, site: Site, request: KeyedRequest): Promise<StoredResponse | undefined>;
  /** Throws `AlreadyStoredError` when another instance was faster. */
  store(
    tx: Transaction,
    site: Site,
    request: KeyedRequest,
    response: StoredResponse,
    reservation?: Reservation,
  ): Promise<void>;
  /** Reserves the key or renews the reservation. False if another request has reserved it or its response is stored. */
  reserve(
    tx: Transaction,
    site: Site,
    request: KeyedRequest,
    reservation: Reservation,
  ): Promise<boolean>;
  release(
    tx: Transaction,
    site: Site,
    request: KeyedRequest,
    reservation: Reservation,
  ): Promise<void>;
}

export class AlreadyStoredError extends Error {
  override name = 'AlreadyStoredError';
}

/** A response may hold a secret that is shown once, so all responses are encrypted and all keys hashed. */
export const storedResponses: StoredResponses = {
  async find(db, site, request) {
    const row = await findRow(db, rowKeyOf(site, request), site.clock());
    if (!row) return undefined;
    if (!sameSecret(row.request_hash, hashOf(site, request))) {
      throw new ApiError(idempotencyMismatch);
    }
    const headers = site.keyring.decrypt(columnOf(row, 'headers'), row.headers);
    return {
      status: row.status,
      // `store` has written it.
      headers: JSON.parse(headers) as StoredResponse['headers'],
      body: site.keyring.decrypt(columnOf(row, 'body'), row.body),
    };
  },

  async store(tx, site, request, response, reservation) {
    const nowMs = site.clock();
    const rowKey = rowKeyOf(site, request);
    const row = {
      ...rowKey,
      request_hash: hashOf(site, request),
      status: response.status,
      headers: site.keyring.encrypt(columnOf(rowKey, 'headers'), JSON.stringify(response.headers)),
      body: site.keyring.encrypt(columnOf(rowKey, 'body'), response.body),
      created_at: nowMs,
      expires_at: nowMs + request.storedMs,
    };
    if (!(await putRow(tx, row, reservation?.name ?? '', nowMs))) throw new AlreadyStoredError();
  },

  reserve(tx, site, request, { name, lastsMs }) {
    const nowMs = site.clock();
    const row = {
      ...rowKeyOf(site, request),
      request_hash: '',
      status: RESERVED,
      headers: '',
      body: name,
      created_at: nowMs,
      expires_at: nowMs + lastsMs,
    };
    return putRow(tx, row, name, nowMs);
  },

  async release(tx, site, request, { name }) {
    await removeReservation(tx, { ...rowKeyOf(site, request), reservation: name });
  },
};

function rowKeyOf(site: Site, { identity, route, key }: KeyedRequest) {
  return { identity, key: site.keyring.hash('idempotency key', `${route} ${key}`) };
}

/** Binds the encrypted text to its row: copied into another row, it does not decrypt. */
function columnOf(
  { identity, key }: { identity: string; key: string },
  column: 'headers' | 'body',
): SecretLocation {
  return { table: 'idempotency_keys', column, row: [identity, key] };
}

function hashOf(site: Site, { route, input }: KeyedRequest): string {
  return site.keyring.hash('idempotent request', `${route} ${JSON.stringify(input, sorted)}`);
}

/** Sorts properties by name: a request is the same in whatever order they were sent. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
