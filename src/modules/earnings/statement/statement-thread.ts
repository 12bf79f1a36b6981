import { parentPort } from 'node:worker_threads';
import { Currency } from '../../../shared/money.ts';
import type { Printed, ToPrint } from './print-in-thread.ts';
import { toPdf } from './statement-pdf.ts';

/** Prints statements in a thread: see print-in-thread.ts. */
parentPort!.on('message', ({ id, statement, currency }: ToPrint) => {
  const answer = (printed: Omit<Printed, 'id'>) => parentPort!.postMessage({ id, ...printed });
  toPdf({ ...statement, currency: new Currency(currency) }).then(
    (bytes) => answer({ bytes }),
    (error: unknown) => answer({ error: String(error) }),
  );
});
