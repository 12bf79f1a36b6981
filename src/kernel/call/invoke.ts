import { requirePermission } from './authorize.ts';
import { system } from '../declare/caller.ts';
import { readInput } from './input-readers.ts';
import { HttpResponse } from '../declare/http-response.ts';
import type { Operation, RequestFacts } from '../declare/operation.ts';
import { runOperation } from './run-operation.ts';
import type { Site } from '../declare/site.ts';

/** The facts of a call from within. @internal Exported for the benchmark. */
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
  csrfHeader: undefined,
  isVisit: false,
};

/**
 * Calls an operation from within, as the command line does: the same contract, the same rules, the
 * same transaction as over HTTP, on behalf of the system. `values` may be text, as flags are. Not for
 * operations that serialise their body themselves, such as a CSV export.
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
  // `runOperation` does not know the operation's type, and here no body is serialised.
  return (result instanceof HttpResponse ? result.body : result) as T;
}

/** What is left for the body when the parameters of path and query are taken out. */
function withoutParameters(
  { params, query }: Operation,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const elsewhere = { ...params?.properties, ...query?.properties };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(elsewhere, name)),
  );
}
