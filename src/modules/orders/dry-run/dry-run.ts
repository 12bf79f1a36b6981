import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SettingDefinition } from '../../../kernel/declare/setting.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { threadUrl } from '../../../shared/thread-url.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../../coupons/index.ts';
import { activeRules, type RewardRule } from '../../rewards/index.ts';
import { countOrdersUpTo } from '../order-rows.ts';
import {
  beforeDiscount,
  includeFees,
  includeShipping,
  includeTax,
  maxPerOrder,
  productPercents,
  renewals,
} from '../settings.ts';
import type { DryRunWork } from './dry-run-thread.ts';
import { tryOrders, type CompletePlan, type TriedPage } from './try-orders.ts';

/** The settings that decide what an order earns. */
export const triedSettings = [
  commissionPercent,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  productPercents,
  beforeDiscount,
  includeShipping,
  includeTax,
  includeFees,
  maxPerOrder,
  renewals,
] as const;

export interface DryRunPlan extends Pick<CompletePlan, 'from' | 'to'> {
  /** The whole list, in its order; undefined for the one of now. */
  readonly rules: readonly RewardRule[] | undefined;
  /** Values of settings that differ from those of now. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** With so many orders it takes longer than a thread takes to start, and would slow down other requests. */
const THREAD_FROM = 10_000;

/**
 * Computes the commission of all orders of a period as if they came in now, one after the other as they were placed.
 * Orders are as they are today, with their refunds and states, and stay with their affiliates. It changes nothing.
 */
export async function* dryRun(
  site: Site,
  { from, to, rules, settings }: DryRunPlan,
  { threadFrom = THREAD_FROM }: { threadFrom?: number } = {},
): AsyncGenerator<TriedPage> {
  const now = triedSettings.map(
    (setting: SettingDefinition<any>) => [setting.key, site.settings.get(setting)] as const,
  );
  const plan = {
    from,
    to,
    rules: rules ?? (await activeRules(site)).rules,
    settings: { ...Object.fromEntries(now), ...settings },
  };
  const isLarge = (await countOrdersUpTo(site.database.read, threadFrom)) >= threadFrom;
  yield* isLarge ? inThread(site, plan) : tryOrders(site, plan);
}

async function* inThread(
  { database: { place }, calendar: { timeZone }, currency: { code: currency } }: Site,
  plan: CompletePlan,
): AsyncGenerator<TriedPage> {
  const workerData: DryRunWork = { place, timeZone, currency, plan };
  // A thread would inherit flags of the process that are not for files, such as `--input-type`.
  const options = { workerData, execArgv: [] };
  const thread = new Worker(threadUrl('dry-run-thread', import.meta.url), options);
  try {
    for await (const [page] of on(thread, 'message', { close: ['exit'] })) {
      if (page === null) return;
      // The thread sends nothing else.
      yield page as TriedPage;
    }
    throw new Error('the thread of a dry run ended early');
  } finally {
    await thread.terminate();
  }
}
