import { parentPort, workerData } from 'node:worker_threads';
import type { DatabasePlace } from '../../../db/database.ts';
import { openReader } from '../../../db/open-database.ts';
import { SiteCalendar } from '../../../shared/dates.ts';
import { Currency } from '../../../shared/money.ts';
import { tryOrders, type CompletePlan } from './try-orders.ts';

/** The `workerData`. */
export interface DryRunWork {
  readonly place: DatabasePlace;
  readonly timeZone: string;
  readonly currency: string;
  readonly plan: CompletePlan;
}

/** Tries many orders, in a thread: sends pages, and null when all are done. */
const { place, timeZone, currency, plan } = workerData as DryRunWork;
const database = await openReader(place);
try {
  const site = { database, calendar: new SiteCalendar(timeZone), currency: new Currency(currency) };
  for await (const page of tryOrders(site, plan)) parentPort!.postMessage(page);
  parentPort!.postMessage(null);
} finally {
  await database.close();
}
