import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../../shared/thread-url.ts';
import type { PrintedStatement } from './statement-pdf.ts';

export interface ToPrint {
  readonly id: number;
  readonly statement: Omit<PrintedStatement, 'currency'>;
  readonly currency: string;
}

export interface Printed {
  readonly id: number;
  readonly bytes?: Uint8Array;
  readonly error?: string;
}

let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();

/** Prints a statement as PDF. A thread does, because loading what prints takes some 400 ms, and a page 5 ms. */
export function printInThread({ currency, ...statement }: PrintedStatement): Promise<Uint8Array> {
  thread ??= startThread();
  const id = (lastId += 1);
  const printed = Promise.withResolvers<Uint8Array>();
  waiting.set(id, printed);
  thread.postMessage({ id, statement, currency: currency.code } satisfies ToPrint);
  return printed.promise;
}

function startThread(): Worker {
  const worker = new Worker(threadUrl('statement-thread', import.meta.url));
  worker.on('message', ({ id, bytes, error }: Printed) => {
    const printed = waiting.get(id);
    waiting.delete(id);
    if (bytes) printed?.resolve(bytes);
    else printed?.reject(new Error(error));
  });
  const fail = (error: Error) => {
    thread = undefined;
    for (const printed of waiting.values()) printed.reject(error);
    waiting.clear();
  };
  worker.once('error', fail);
  worker.once('exit', () => fail(new Error('The thread that prints statements has ended.')));
  // After the listeners, which would keep the process alive.
  worker.unref();
  return worker;
}
