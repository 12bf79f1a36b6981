import { ApiError } from '../../kernel/declare/errors.ts';
import {
  AlreadyKept,
  idempotencyMismatch,
  type KeptAnswer,
  type KeptAnswers,
  type KeyedRequest,
} from '../../kernel/call/idempotency.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { sameSecret, type Place } from '../../shared/secrets.ts';
import { findAnswer, putRow, removeReservation, RESERVED } from './answer-store.ts';

/** An answer may carry a secret that is shown once: all of them are encrypted, all keys hashed. */
export const keptAnswers: KeptAnswers = {
  async find(db, site, request) {
    const row = await findAnswer(db, placeOf(site, request), site.clock());
    if (!row) return undefined;
    if (!sameSecret(row.request_hash, hashOf(site, request))) {
      throw new ApiError(idempotencyMismatch);
    }
    const headers = site.keyring.decrypt(columnOf(row, 'headers'), row.headers);
    return {
      status: row.status,
      headers: JSON.parse(headers) as KeptAnswer['headers'],
      body: site.keyring.decrypt(columnOf(row, 'body'), row.body),
    };
  },

  async keep(tx, site, request, answer, reservation) {
    const nowMs = site.clock();
    const place = placeOf(site, request);
    const row = {
      ...place,
      request_hash: hashOf(site, request),
      status: answer.status,
      headers: site.keyring.encrypt(columnOf(place, 'headers'), JSON.stringify(answer.headers)),
      body: site.keyring.encrypt(columnOf(place, 'body'), answer.body),
      created_at: nowMs,
      expires_at: nowMs + request.keptMs,
    };
    if (!(await putRow(tx, row, reservation?.name ?? '', nowMs))) throw new AlreadyKept();
  },

  reserve(tx, site, request, { name, lastsMs }) {
    const nowMs = site.clock();
    const row = {
      ...placeOf(site, request),
      request_hash: '',
      status: RESERVED,
      headers: '',
      body: name,
      created_at: nowMs,
      expires_at: nowMs + lastsMs,
    };
    return putRow(tx, row, name, nowMs);
  },

  release: (tx, site, request, { name }) => removeReservation(tx, placeOf(site, request), name),
};

function placeOf(site: Site, { identity, route, key }: KeyedRequest) {
  return { identity, key: site.keyring.hash('idempotency key', `${route} ${key}`) };
}

/** An answer is for the request it was given to, and for no other. */
export function columnOf(
  { identity, key }: { identity: string; key: string },
  column: 'headers' | 'body',
): Place {
  return { table: 'idempotency_keys', column, row: [identity, key] };
}

function hashOf(site: Site, { route, input }: KeyedRequest): string {
  return site.keyring.hash('idempotent request', `${route} ${JSON.stringify(input, sorted)}`);
}

/** The sequence in which an object's properties are sent says nothing. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
