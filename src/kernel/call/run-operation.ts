import type { Reader, Transaction } from '../../db/database.ts';
import type { Caller } from '../declare/caller.ts';
import type { Context, Operation, RequestFacts } from '../declare/operation.ts';
import type { Site } from '../declare/site.ts';

/**
 * Runs an operation after its input and the caller's permission were checked. Except for GET and
 * `transaction: false`, it runs in one transaction, which any thrown error rolls back.
 */
export function runOperation(
  operation: Operation,
  site: Site,
  caller: Caller,
  request: RequestFacts,
  input: Record<string, unknown>,
): unknown {
  const context = (db: Reader) => contextOf(db, site, caller, request);
  if (operation.method === 'GET' || operation.transaction === false) {
    return operation.handle(context(site.database.read), input);
  }
  if (operation.prepare) {
    return prepareOperation(operation, site, caller, request, input).then((prepared) =>
      site.database.transaction(async (tx) =>
        operation.handle({ ...context(tx), prepared }, input),
      ),
    );
  }
  return site.database.transaction(async (tx) => operation.handle(context(tx), input));
}

/** The result of `prepare`, for a caller whom `permit` does not refuse. */
export async function prepareOperation(
  operation: Operation,
  site: Site,
  caller: Caller,
  request: RequestFacts,
  input: Record<string, unknown>,
): Promise<unknown> {
  await operation.permit?.(contextOf(site.database.read, site, caller, request), input);
  return operation.prepare?.(input, site, request, caller);
}

export function contextOf(
  db: Reader,
  site: Site,
  caller: Caller,
  request: RequestFacts,
): Context<Reader & Transaction> {
  return {
    // `OperationDefinition` gives the `handle` of a GET a `Reader` only. An operation with
    // `transaction: false` opens its own transactions and uses this one to read.
    db: db as Reader & Transaction,
    caller,
    site,
    request,
    nowMs: site.clock(),
    prepared: undefined,
  };
}
