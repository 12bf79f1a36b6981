import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Query } from '../../src/db/statements/query.ts';
import { HttpResponse } from '../../src/kernel/declare/http-response.ts';
import { isLong, type Operation } from '../../src/kernel/declare/operation.ts';
import type { Site } from '../../src/kernel/declare/site.ts';

/** An operation while it runs. */
interface Run {
  readonly operation: Operation;
  /** Whether it is long with its input, when it begins. */
  readonly isDeclared: boolean;
}

const current = new AsyncLocalStorage<Run | undefined>();
const undeclared = new Set<string>();
const watched = new WeakSet<object>();

/** Notes the operations that run a statement that is declared long without being `long` themselves. */
export function watchLongStatements(site: Site): void {
  for (const operation of site.registry.allOperations()) {
    if (!watched.has(operation)) watched.add(watchOperation(operation));
  }
  // A job may run long statements, also one that an operation has started.
  for (const job of site.registry.modules.flatMap(({ jobs = [] }) => jobs)) {
    if (watched.has(job)) continue;
    watched.add(job);
    const { run } = job;
    Object.assign(job, {
      run: (...args: Parameters<typeof run>) => current.run(undefined, () => run.apply(job, args)),
    });
  }
}

/** Fails the test in which one was found. */
export function assertLongDeclared(): void {
  const found = [...undeclared];
  undeclared.clear();
  assert.deepEqual(found, [], 'these operations run long statements and do not declare `long`');
}

function watchOperation(operation: Operation): Operation {
  const { handle, permit, prepare } = operation;
  return Object.assign(operation, {
    handle: ((context, input) => {
      const run = runOf(operation, input, context.site);
      const result = current.run(run, () => handle.call(operation, context, input));
      return result instanceof Promise
        ? result.then((value) => streamedIn(run, value))
        : streamedIn(run, result);
    }) satisfies Operation['handle'],
    ...(permit && {
      permit: ((context, input) =>
        current.run(runOf(operation, input, context.site), () =>
          permit.call(operation, context, input),
        )) satisfies Operation['permit'],
    }),
    ...(prepare && {
      prepare: ((input, site, request, caller) =>
        current.run(runOf(operation, input, site), () =>
          prepare.call(operation, input, site, request, caller),
        )) satisfies Operation['prepare'],
    }),
  });
}

const runOf = (operation: Operation, input: Record<string, unknown>, site: Site): Run => ({
  operation,
  isDeclared: isLong(operation, input, site),
});

/** A streamed body is made after `handle` has returned. */
function streamedIn(run: Run, result: unknown): unknown {
  if (!(result instanceof HttpResponse)) return result;
  const { body } = result;
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return result;
  // An iterable body is one of pieces.
  const pieces = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
  const stepped: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => stepped,
    next: () => current.run(run, () => pieces.next()),
    return: (value?: string) =>
      current.run(
        run,
        async () => (await pieces.return?.(value)) ?? { done: true as const, value },
      ),
  };
  return Object.assign(result, { body: stepped });
}

const { isLongWith } = Query.prototype;
Query.prototype.isLongWith = function (this: Query<unknown, unknown>, params: unknown) {
  const isLongStatement = isLongWith.call(this, params);
  const run = current.getStore();
  if (isLongStatement && run && !run.isDeclared) {
    undeclared.add(`${run.operation.method} ${run.operation.url}`);
  }
  return isLongStatement;
};
