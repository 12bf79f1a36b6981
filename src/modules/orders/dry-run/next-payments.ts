import { randomInt } from 'node:crypto';
import type { Site } from '../../../kernel/declare/site.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { activeRules, type RewardRule, type RuleList } from '../../rewards/index.ts';
import { readAttribution } from '../attribution/attribution.ts';
import { Subscriptions } from '../attribution/subscriptions.ts';
import { decideOrders } from '../commission/decide-orders.ts';
import { commissionWithoutSteps } from '../commission/plain-commission.ts';
import { readTerms } from '../commission/terms.ts';
import { beginCrediting } from '../credit-orders.ts';
import type { CreditedOrder } from '../credited-referral.ts';
import { NO_ORDER_ID } from '../read-order.ts';
import { toStored } from '../stored-order.ts';
import { runningBefore, type RunningRow } from './dry-run-rows.ts';

/** One that is paid once a year has paid in this time. */
const RUNNING_DAYS = 400;
const SUBSCRIPTIONS_AT_ONCE = 250;
/** As many as take a second or two. */
const SUBSCRIPTIONS_MAX = 10_000;

/** What the next payments of running subscriptions earn, in minor units. */
export interface RunningEffect {
  subscriptions: number;
  /** How many of them earn something else. */
  changed: number;
  before: number;
  after: number;
  /** Whether all of them were computed. */
  isComplete: boolean;
}

/** Computes the next payment of each running subscription with the saved rules and with others, as if it came now. */
export async function effectOnRunning(
  site: Site,
  rules: readonly RewardRule[],
): Promise<RunningEffect> {
  const saved = await activeRules(site);
  // No other list has the same: terms are remembered by the version of their rules.
  const tried = { version: -randomInt(2 ** 47), rules: rules.filter(({ active }) => active) };
  const sum: RunningEffect = {
    subscriptions: 0,
    changed: 0,
    before: 0,
    after: 0,
    isComplete: true,
  };
  const since = site.clock() - RUNNING_DAYS * DAY_MS;
  let place = { placed_at: Number.MAX_SAFE_INTEGER, key: '' };
  for (let read = 0; ; read += SUBSCRIPTIONS_AT_ONCE) {
    const { placed_at, key } = place;
    const params = { placed_at, key, since, limit: SUBSCRIPTIONS_AT_ONCE };
    const rows = await runningBefore(site.database.read, params);
    if (rows.length === 0) return sum;
    if (read >= SUBSCRIPTIONS_MAX) return { ...sum, isComplete: false };
    const next = rows.map((row, i) => nextPayment(site, row, NO_ORDER_ID - i));
    const befores = await nextEarnings(site, next, saved);
    const afters = await nextEarnings(site, next, tried);
    for (const [i, before] of befores.entries()) {
      const after = afters[i];
      if (before === undefined || after === undefined) continue;
      sum.subscriptions++;
      if (before !== after) sum.changed++;
      sum.before += before;
      sum.after += after;
    }
    place = rows.at(-1)!;
  }
}

/** What the next payments of some subscriptions earn by a list, each like the last one; undefined if no affiliate gets it. */
async function nextEarnings(
  site: Site,
  next: readonly NextPayment[],
  list: RuleList,
): Promise<(number | undefined)[]> {
  const { read } = site.database;
  const orders = next.map(({ order }) => order);
  const subscriptions = await Subscriptions.read(read, orders);
  const attribution = await readAttribution(read, site, orders, subscriptions);
  const terms = new Map(await readTerms(read, site, subscriptions.referrals()));
  const crediting = beginCrediting(site, { list, subscriptions, attribution, terms });
  const credited = next.map(({ row, order }) => {
    const version = { order, known: undefined, before: [], counts: true };
    const renewals = crediting.credit(version).filter(({ renews }) => renews);
    return { ...version, row, isDecided: false, credited: renewals };
  });
  const decisions = await decideOrders(read, credited);
  return credited.map((one) => {
    const earned = Array.from(decisions.decide(one), (draft) =>
      draft.terms.self ? 0 : commissionWithoutSteps(one.order, draft.terms).amount,
    );
    return earned.length === 0 ? undefined : earned.reduce((sum, amount) => sum + amount);
  });
}

type NextPayment = Pick<CreditedOrder, 'order' | 'row'>;

/** Like the last payment, but with a number that no stored order has. */
function nextPayment(site: Site, row: RunningRow, orderId: number): NextPayment {
  const last = toStored(site, row);
  const placedAtMs = site.clock();
  return {
    row: { ...row, order_id: orderId, decided_at: null },
    order: {
      ...last,
      orderId,
      placedAtMs,
      day: site.calendar.dayOf(placedAtMs),
      codes: [],
      clickId: null,
      visitorHash: null,
      referralCode: null,
      subscription: { ...last.subscription!, payment: null, isRenewal: true },
      figures: { ...last.figures, refunds: [] },
    },
  };
}
