import type { Job } from '../../../kernel/declare/job.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { loadSettings } from '../../settings/index.ts';
import { placesAfter } from '../list/order-places.ts';
import type { Place } from '../order-place.ts';
import { countedStatuses, grantedStatuses } from '../settings.ts';
import {
  BEGINNING,
  beginApplying,
  findApplied,
  findOutdated,
  saveProgress,
  type AppliedStatuses,
} from './outdated-rows.ts';
import { resettleOrders } from './settle-again.ts';

/** Well within the lease of a job, so that no second instance starts while this one runs. */
const RUN_MAX_MS = 10_000;
const SAVE_EVERY_MS = 1_000;

const rulesText = (counted: readonly string[], granted: readonly string[]) =>
  JSON.stringify({ counted: counted.toSorted(), granted: granted.toSorted() });

const DEFAULT_RULES = rulesText(countedStatuses.default, grantedStatuses.default);

function rulesOf({ settings }: Site): string {
  return rulesText(settings.get(countedStatuses), settings.get(grantedStatuses));
}

/**
 * After the setting has changed which statuses count, goes through all orders and settles those again
 * that it concerns: in short pieces, from where the last run stopped, whichever instance that was.
 */
export const applyStatuses: Job = {
  name: 'orders.apply-statuses',
  everyMs: 2_000,
  runsOn: 'one',
  async run(site) {
    const rules = rulesOf(site);
    const applied = await findApplied(site.database.read);
    if ((applied?.statuses ?? DEFAULT_RULES) !== rules) return begin(site, rules);
    if (applied && applied.finished_at === null) await goOn(site, applied);
  },
};

/** The next run starts with the orders: by then every instance has the new setting. */
async function begin(site: Site, rules: string): Promise<void> {
  // The settings in memory may be older than those that another instance has started to apply.
  if ((await storedRules(site)) !== rules) return;
  await site.database.transaction((tx) => beginApplying(tx, rules));
  const { counted, granted } = JSON.parse(rules) as { counted: string[]; granted: string[] };
  site.log.info({ counted, granted }, 'order statuses changed: updating the figures of all orders');
}

async function storedRules(site: Site): Promise<string> {
  const stored = new Map(await loadSettings(site.database.read, site));
  const valueOf = (setting: typeof countedStatuses) =>
    (stored.get(setting.key) ?? setting.default) as readonly string[];
  return rulesText(valueOf(countedStatuses), valueOf(grantedStatuses));
}

async function goOn(site: Site, applied: AppliedStatuses): Promise<void> {
  const { database } = site;
  const state = { ...applied };
  const save = () => database.transaction((tx) => saveProgress(tx, state));
  let savedMs = performance.now();
  const untilMs = savedMs + RUN_MAX_MS;
  for await (const { last, settled } of settleFrom(site, applied)) {
    state.changed += settled;
    state.position = last.placed_at;
    state.position_order = last.order_id;
    const nowMs = performance.now();
    const isOver = site.isStopping || nowMs >= untilMs || rulesOf(site) !== state.statuses;
    if (isOver || nowMs - savedMs >= SAVE_EVERY_MS) {
      await save();
      savedMs = nowMs;
    }
    if (isOver) return;
  }
  state.finished_at = site.clock();
  await save();
  site.log.info({ orders: state.changed }, 'the figures of all orders are up to date');
}

/** Settles all orders after those that are done again, as they were placed: page by page. */
async function* settleFrom(
  site: Site,
  { position, position_order }: Pick<AppliedStatuses, 'position' | 'position_order'>,
): AsyncGenerator<{ readonly last: Place; readonly settled: number }> {
  const { read } = site.database;
  const after = { placed_at: position, order_id: position_order };
  for await (const places of placesAfter(read, after, Number.MAX_SAFE_INTEGER)) {
    const ids = places.map(({ order_id }) => order_id);
    const outdated = await findOutdated(read, ids, site.settings.get(countedStatuses));
    await resettleOrders(site, outdated);
    yield { last: places.at(-1)!, settled: outdated.length };
  }
}

const NOTHING_APPLIED = { position: BEGINNING, position_order: 0 };

/**
 * Does immediately what the job would do, for a caller that needs current figures. With very many orders it
 * stops after a limit, and the job does the rest. Both may run at the same time.
 */
export async function applyStatusesNow(site: Site, withinMs: number): Promise<void> {
  const rules = rulesOf(site);
  const applied = await findApplied(site.database.read);
  const isBegun = (applied?.statuses ?? DEFAULT_RULES) === rules;
  if (isBegun && applied?.finished_at !== null) return;
  const untilMs = performance.now() + withinMs;
  for await (const _page of settleFrom(site, isBegun ? applied! : NOTHING_APPLIED)) {
    if (performance.now() >= untilMs) return;
  }
}
