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
import { computeTrial, type CompletePlan, type TrialProgress } from './compute-trial.ts';
import type { TrialPage, TrialWork } from './trial-thread.ts';

/** The settings that decide what an order earns. */
export const trialSettings = [
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

export interface TrialPlan extends Pick<CompletePlan, 'from' | 'to'> {
  /** The whole list, in its order; undefined for the one of now. */
  readonly rules: readonly RewardRule[] | undefined;
  /** Values of settings that differ from those of now. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** With so many orders a trial takes longer than a thread takes to start, and would slow down other requests. */
const THREAD_FROM = 10_000;

/**
 * Computes the commission of all orders of a period as if they came in now, one after the other as they were placed.
 * Orders are as they are today, with their refunds and states, and stay with their affiliates. It changes nothing.
 * Resolves to whether it came to the end.
 */
export async function runTrial(
  site: Site,
  { from, to, rules, settings }: TrialPlan,
  progress: TrialProgress,
  { threadFrom = THREAD_FROM }: { threadFrom?: number } = {},
): Promise<boolean> {
  const now = trialSettings.map(
    (setting: SettingDefinition<any>) => [setting.key, site.settings.get(setting)] as const,
  );
  const plan = {
    from,
    to,
    rules: rules ?? (await activeRules(site)).rules,
    settings: { ...Object.fromEntries(now), ...settings },
  };
  const isLarge = (await countOrdersUpTo(site.database.read, threadFrom)) >= threadFrom;
  return isLarge ? runInThread(site, plan, progress) : computeTrial(site, plan, progress);
}

async function runInThread(
  { database, calendar, currency }: Site,
  plan: CompletePlan,
  progress: TrialProgress,
): Promise<boolean> {
  const work: TrialWork = {
    place: database.place,
    timeZone: calendar.timeZone,
    currency: currency.code,
    plan,
  };
  const thread = new Worker(threadUrl('trial-thread', import.meta.url), {
    workerData: work,
    // A thread would inherit flags of the process that are not for files, such as `--input-type`.
    execArgv: [],
  });
  try {
    for await (const [page] of on(thread, 'message', { close: ['exit'] })) {
      // Only the thread below sends messages.
      const { tried, share } = page as TrialPage;
      for (let i = 0; i < tried.length; i += 5) {
        progress.take({
          orderId: tried[i]!,
          userId: tried[i + 1]!,
          couponId: tried[i + 2]!,
          before: tried[i + 3]!,
          after: tried[i + 4]!,
        });
      }
      if (share === null) return true;
      if (!(await progress.proceed(share))) return false;
    }
    throw new Error('the thread of a trial ended early');
  } finally {
    await thread.terminate();
  }
}
