import { system } from '../declare/caller.ts';
import { HttpResponse } from '../declare/http-response.ts';
import type { Operation, RequestFacts } from '../declare/operation.ts';
import type { Site } from '../declare/site.ts';
import { requirePermission } from './authorize.ts';
import { readInput } from './input-readers.ts';
import { runOperation } from './run-operation.ts';

/** The request facts of an internal call. @internal Exported for the benchmark. */
export const noRequest: RequestFacts = {
  requestId: '',
  address: '',
  network: '',
  requireStillThere: () => {},
  secure: true,
  search: '',
  cookie: () => undefined,
  fromOtherSite: false,
  fromOtherOrigin: false,
  isSameOrigin: false,
  acceptLanguage: '',
  ifMatch: undefined,
  csrfHeader: undefined,
  viewAs: undefined,
  userAgent: '',
  referrer: '',
  isVisit: false,
  headers: {},
  body: Buffer.alloc(0),
};

/**
 * Calls an operation without HTTP, on behalf of the system. The command line uses it. The contract, the
 * rules and the transaction are the same as over HTTP. `values` may be text, like command-line flags.
 * It does not work for operations that serialise their body themselves, such as a CSV export.
 */
export async function invoke<T>(
  site: Site,
  operation: Operation<T>,
  values: Record<string, unknown> = {},
): Promise<T> {
  const input = readInput(operation, site, {
    params: values,
    query: values,
    body: withoutParameters(operation, values),
    bodyIsText: true,
  });
  requirePermission(operation, system, site, input, noRequest);
  const result = await runOperation(operation, site, system, noRequest, input);
  // `runOperation` does not know the type of the result, and no body is serialised here.
  return (result instanceof HttpResponse ? result.body : result) as T;
}

/** The values that are not parameters of the path or the query belong to the body. */
function withoutParameters(
  { params, query }: Operation,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const elsewhere = { ...params?.properties, ...query?.properties };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(elsewhere, name)),
  );
}
