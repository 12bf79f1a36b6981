import type { Reader, Transaction } from '../../db/database.ts';
import type { Caller } from '../declare/caller.ts';
import type { Context, Operation, RequestFacts } from '../declare/operation.ts';
import type { Site } from '../declare/site.ts';

/**
 * Runs an operation whose input is checked and whose caller may. Everything but a GET runs inside
 * one transaction: a refusal thrown anywhere undoes all of it.
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
    return operation
      .prepare(input, site, request)
      .then((prepared) =>
        site.database.transaction(async (tx) =>
          operation.handle({ ...context(tx), prepared }, input),
        ),
      );
  }
  return site.database.transaction(async (tx) => operation.handle(context(tx), input));
}

export function contextOf(
  db: Reader,
  site: Site,
  caller: Caller,
  request: RequestFacts,
): Context<Reader & Transaction> {
  return {
    db: db as Reader & Transaction,
    caller,
    site,
    request,
    nowMs: site.clock(),
    prepared: undefined,
  };
}
