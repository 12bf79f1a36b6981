import { resolveSchema } from '../../src/kernel/call/input-readers.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { CallOptions } from '../support/harness.ts';
import { ABSENT_ID, sampleOf } from '../support/sample.ts';
import { FEW, FIRST } from './fill-kit.ts';
import type { FilledStore } from './filled-store.ts';

/** A call of an operation. What is not given comes from the contract, with `row` in the place of ids. */
export interface Request extends Omit<CallOptions, 'method'> {
  /** Values of the parts of the path. */
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number>>;
  /** The caller sends no credentials. */
  isAnonymous?: boolean;
  /** The status of a response that is not a success: what happens before it is measured all the same. */
  refusal?: number;
}

/** What calls an operation, after it has prepared what the call needs, which is not measured. */
export type Case = (row: number, store: FilledStore) => Request | Promise<Request>;

/** One of the few webhooks or connections. */
export const fewOf = (row: number): number => FIRST + (row % FEW);

export function formOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString();
}

/** Calls an operation about this row; throws if the response is not as expected. */
export async function send(
  store: FilledStore,
  operation: Operation,
  row: number,
  request: Request,
): Promise<void> {
  const { params = {}, query = {}, isAnonymous = false, refusal, ...options } = request;
  const { method } = operation;
  const sample = (schema: Parameters<typeof sampleOf>[0]): any =>
    JSON.parse(JSON.stringify(sampleOf(schema)).replaceAll(String(ABSENT_ID), String(row)));
  const ofPath = { ...sample(operation.params), ...params };
  const isFew = /\/(webhooks|connections|imports)\/\{id\}/.test(operation.url);
  const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    isFew && name === 'id' && params['id'] === undefined
      ? String(fewOf(row))
      : String(ofPath[name]),
  );
  const search = new URLSearchParams({ ...sample(operation.query), ...query }).toString();
  const body = operation.body && resolveSchema(operation.body, store.app.site.registry);
  const needsBody = body !== undefined && request.form === undefined && request.json === undefined;
  const { status, text } = await store.call(
    `${path}${search && `?${search}`}`,
    {
      method,
      ...(needsBody && { json: sample(body) }),
      ...options,
      // A network of its own: some operations limit what one network may do.
      headers: { 'x-forwarded-for': `10.${row >> 8}.${row & 255}.1`, ...options.headers },
    },
    { isAnonymous },
  );
  const isExpected = refusal === undefined ? status >= 200 && status < 400 : status === refusal;
  if (!isExpected) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
}
