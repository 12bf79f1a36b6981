import { parentPort, workerData } from 'node:worker_threads';
import type { DatabasePlace } from '../../../db/database.ts';
import { openReader } from '../../../db/open-database.ts';
import { SiteCalendar } from '../../../shared/dates.ts';
import { Currency } from '../../../shared/money.ts';
import { computeTrial, type CompletePlan, type TriedReferral } from './compute-trial.ts';

/** The `workerData`. */
export interface TrialWork {
  readonly place: DatabasePlace;
  readonly timeZone: string;
  readonly currency: string;
  readonly plan: CompletePlan;
}

/** What the thread sends after each page of orders. */
export interface TrialPage {
  readonly tried: readonly TriedReferral[];
  /** Null when all orders are done. */
  readonly share: number | null;
}

/** Tries rules on many orders, in a thread: see run-trial.ts. */
const { place, timeZone, currency, plan } = workerData as TrialWork;
const database = await openReader(place);
let tried: TriedReferral[] = [];
const send = (share: number | null) => {
  parentPort!.postMessage({ tried, share } satisfies TrialPage);
  tried = [];
};
try {
  const site = { database, calendar: new SiteCalendar(timeZone), currency: new Currency(currency) };
  await computeTrial(site, plan, {
    take: (referral) => tried.push(referral),
    proceed: async (share) => {
      send(share);
      return true;
    },
  });
  send(null);
} finally {
  await database.close();
}
