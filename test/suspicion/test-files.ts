import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { addonFacts } from '../support/addon-facts.ts';

/** What becomes of commission that is suspicious: it is held, or only noted in a case. */
export const suspicions = ['Held', 'Noted'] as const;
export type Suspicion = (typeof suspicions)[number];

/** The variable of a run in which the service finds everything suspicious. */
export const SUSPICION_VARIABLE = 'TEST_SUSPICION';

/** These are about the amounts that orders grant, and held commission is not granted. */
const noted = new Set([
  ...addonFacts.flatMap(({ runs }) => runs?.noted ?? []),
  'src/modules/coupons/hand-over.test.ts',
  'src/modules/reports/get-summary.test.ts',
  'src/modules/stats/changed-statuses.test.ts',
  'src/modules/stats/get-coupon-stats.test.ts',
]);

/** These are about pages, programs and operations of the store API, which the review may answer otherwise. */
const elsewhere = new Set([
  'src/modules/affiliates/managing.test.ts',
  'src/modules/clicks/follow-link.test.ts',
  'src/modules/clicks/get-tracker.test.ts',
  'src/modules/clicks/list-campaigns.test.ts',
  'src/modules/clicks/receive-beacon.test.ts',
  'src/modules/events/search-events.test.ts',
  'src/modules/keys/token.test.ts',
  'src/modules/registrations/application-form.test.ts',
  'src/modules/registrations/show-application-status.test.ts',
  'src/modules/registrations/team-mail.test.ts',
  'src/modules/stats/coupon-orders-cache.test.ts',
  'src/modules/stats/order-page-cache.test.ts',
]);

const DECLARES_V2 = /^ {2,4}namespace: 'v2',$/m;

/** The test files beside the operations of the v2 API: no add-on changes an answer that its specification fixes. */
export function suspicionFiles(suspicion: Suspicion): string[] {
  const beside = besideOperations();
  const outdated = [...noted, ...elsewhere].filter((file) => !beside.includes(file));
  if (outdated.length > 0) throw new Error(`Not beside the v2 API: ${outdated.join(', ')}`);
  const chosen = beside.filter((file) => !elsewhere.has(file));
  return chosen.filter((file) => noted.has(file) === (suspicion === 'Noted'));
}

function besideOperations(): string[] {
  const operations = globSync('{src,addons}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && DECLARES_V2.test(readFileSync(file, 'utf8')),
  );
  const folders = new Set(operations.map((file) => dirname(file)));
  return [...folders].flatMap((folder) => globSync(`${folder}/*.test.ts`)).sort();
}
