import type { Transaction } from '../../../src/db/database.ts';
import { foldName } from '../clicks/ad-parameters.ts';
import { isBanned } from '../clicks/banned-hosts.ts';
import { traceOf, type ClickTrace } from '../clicks/trace-rows.ts';
import type { Look, OrderRule } from './look.ts';
import type { AllRuleOptions } from './rules.ts';

/** The rules that look at the click of an order. */
export const clickRules: readonly OrderRule[] = [
  {
    name: 'paid_ads',
    look(at) {
      const trace = creditedTrace(at);
      const found = trace ? adParametersOf(trace, at.options.paid_ads) : [];
      return found.length === 0 ? undefined : { figures: { parameters: found.join(', ') } };
    },
  },
  {
    name: 'banned_referrers',
    look(at) {
      const trace = creditedTrace(at);
      if (!trace || !isBanned(trace.referrer, at.options.banned_referrers.hosts)) return undefined;
      return { figures: { host: trace.referrer } };
    },
  },
];

function creditedTrace({ referral, facts }: Pick<Look, 'referral' | 'facts'>) {
  return referral.click_id === null ? undefined : facts.traces.get(referral.click_id);
}

/** The ad parameters of a click that the rule looks for. */
export function adParametersOf(trace: ClickTrace, options: AllRuleOptions['paid_ads']): string[] {
  if (trace.ads === '' || isAllowed(trace, options.campaigns)) return [];
  const wanted = foldedOf(options.parameters);
  return trace.ads.split(' ').filter((name) => wanted.has(name));
}

/** The list is the same object until the rule is changed. */
const folded = new WeakMap<readonly string[], ReadonlySet<string>>();

function foldedOf(parameters: readonly string[]): ReadonlySet<string> {
  let names = folded.get(parameters);
  if (!names) folded.set(parameters, (names = new Set(parameters.map(foldName))));
  return names;
}

/** Campaigns are names that people give their links, in any case. */
function isAllowed({ campaign }: ClickTrace, campaigns: readonly string[]): boolean {
  if (campaign === '' || campaigns.length === 0) return false;
  const name = campaign.toLowerCase();
  return campaigns.some((allowed) => allowed.toLowerCase() === name);
}

/** Reads where the clicks of a transaction came from, in one statement, unless no rule asks that. */
export async function readTraces(
  tx: Transaction,
  { paid_ads: ads, banned_referrers: banned }: AllRuleOptions,
  clickIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, ClickTrace>> {
  const isAsked =
    (ads.action !== 'off' && ads.parameters.length > 0) ||
    (banned.action !== 'off' && banned.hosts.length > 0);
  const rows = isAsked && clickIds.size > 0 ? await tx.allByKeys(traceOf, [...clickIds]) : [];
  return new Map(rows.map((row) => [row.click_id, row]));
}
