import { parentPort, workerData } from 'node:worker_threads';
import type { DatabasePlace } from '../../../db/database.ts';
import { openReader } from '../../../db/open-database.ts';
import { SiteCalendar } from '../../../shared/dates.ts';
import { Currency } from '../../../shared/money.ts';
import { computeTrial, type CompletePlan } from './compute-trial.ts';

/** The `workerData`. */
export interface TrialWork {
  readonly place: DatabasePlace;
  readonly timeZone: string;
  readonly currency: string;
  readonly plan: CompletePlan;
}

/** What the thread sends after each page of orders. */
export interface TrialPage {
  /** The five numbers of one referral after the other, which take less time to send than objects. */
  readonly tried: Float64Array;
  /** Null when all orders are done. */
  readonly share: number | null;
}

/** Tries rules on many orders, in a thread: see run-trial.ts. */
const { place, timeZone, currency, plan } = workerData as TrialWork;
const database = await openReader(place);
let tried: number[] = [];
const send = (share: number | null) => {
  const numbers = new Float64Array(tried);
  parentPort!.postMessage({ tried: numbers, share } satisfies TrialPage, [numbers.buffer]);
  tried = [];
};
try {
  const site = { database, calendar: new SiteCalendar(timeZone), currency: new Currency(currency) };
  await computeTrial(site, plan, {
    take: ({ orderId, userId, couponId, before, after }) => {
      tried.push(orderId, userId, couponId, before, after);
    },
    proceed: async (share) => {
      send(share);
      return true;
    },
  });
  send(null);
} finally {
  await database.close();
}
