import { perSite, type Site } from '../../../kernel/declare/site.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { asGroup, chooseRates, type GroupRateColumns } from '../../coupons/index.ts';
import type { RateColumns } from '../../groups/index.ts';
import type { RuleList } from '../../rewards/index.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import {
  beforeDiscount,
  countedStatuses,
  grantedStatuses,
  includeFees,
  includeShipping,
  includeTax,
  maxPerOrder,
  productPercents,
  renewals,
} from '../settings.ts';
import type { ReferralState } from '../tables.ts';
import type { BaseRules, Rates } from './commission.ts';
import { toTerms, type Terms } from './terms.ts';

/** What a referral earns by, as its column `rates` has it. */
export interface ReferralTerms {
  readonly rates: Rates;
  readonly rules: BaseRules;
  /** The affiliate's own order, which earns nothing. */
  readonly self: boolean;
}

/** The terms of a coupon at this moment: they are the same for all its orders until a rate or a setting changes. */
export function currentTerms(
  site: Site,
  coupon: RateColumns & GroupRateColumns,
  { rules, version }: RuleList,
): Terms {
  const { settings, currency } = site;
  const rates = chooseRates(site, coupon, [asGroup(coupon)]);
  const memory = usualTerms(site);
  const moment = `${settings.changes} ${version}`;
  if (memory.moment !== moment) {
    memory.moment = moment;
    memory.terms.clear();
  }
  const key = JSON.stringify(rates);
  let terms = memory.terms.get(key);
  if (!terms) {
    terms = toTerms(site, {
      rates,
      productPercents: settings.get(productPercents),
      base: {
        beforeDiscount: settings.get(beforeDiscount),
        includeShipping: settings.get(includeShipping),
        includeTax: settings.get(includeTax),
        includeFees: settings.get(includeFees),
        maxPerOrder: currency.toMinor(settings.get(maxPerOrder)) ?? 0,
      },
      rules,
      renewals: settings.get(renewals),
    });
    memory.terms.set(key, terms);
  }
  return terms;
}

const USUAL_MAX = 300;

/** Making terms takes as long as their percentages of products are many. */
const usualTerms = perSite(() => ({ moment: '', terms: new BoundedMap<string, Terms>(USUAL_MAX) }));

/**
 * The terms of a renewal: those of the first payment, with the rules of now that are also for running subscriptions
 * above its own.
 */
export function renewalTerms(site: Site, first: Terms, { rules }: RuleList): Terms {
  const running = rules.filter((rule) => rule.running);
  if (running.length === 0) return first;
  const ids = new Set(running.map(({ id }) => id));
  const { hash: _, index: _index, plainRates: _rates, ...content } = first;
  const kept = first.rules.filter(({ id }) => !ids.has(id));
  return toTerms(site, { ...content, rules: [...running, ...kept] });
}

/** Whether an order counts in statistics now. */
export function isCounted(site: Site, status: string): boolean {
  return (site.settings.get(countedStatuses) as readonly string[]).includes(status);
}

/** Granted, or granted and held back for some days. */
export function isGranted({
  state,
  release_at,
}: Pick<ReferralRow, 'state' | 'release_at'>): boolean {
  return state === 'granted' || release_at !== null;
}

/**
 * The state of a referral by the status of its order. A commission that was granted stays granted while the
 * order keeps its status, even if the setting has changed since: a later refund takes back its part of the
 * money, the setting takes nothing.
 */
export function referralState(
  site: Site,
  status: string,
  {
    terms,
    dropped,
    previous,
    counts,
    grants,
  }: {
    readonly terms: ReferralTerms;
    readonly dropped: number;
    readonly previous: ReferralRow | undefined;
    readonly counts: boolean;
    /** Else no commission becomes payable. */
    readonly grants: boolean;
  },
): ReferralState {
  if (terms.self || dropped) return 'void';
  if (previous?.status === status && isGranted(previous)) return 'granted';
  if (!counts) return 'void';
  const isPayable = (site.settings.get(grantedStatuses) as readonly string[]).includes(status);
  return grants && isPayable ? 'granted' : 'awaiting';
}

/** The columns of a referral that follow its order. */
export function orderColumns(
  order: PreparedOrder,
  {
    state,
    counted,
    commission,
  }: { readonly state: ReferralState; readonly counted: boolean; readonly commission: number },
) {
  return {
    day: order.day,
    placed_at: order.placedAtMs,
    status: order.status,
    commission: state === 'void' ? 0 : commission,
    state,
    counted: counted ? 1 : 0,
    sales: order.total - order.refunded,
    discount: order.discount,
    shipping: order.shipping,
  };
}

/** Rates that were decided before terms were stored stay as they are. */
export function ratesText(previous: ReferralRow | undefined, terms: ReferralTerms): string {
  if (previous && previous.terms === null) return previous.rates;
  if (terms.self) return JSON.stringify(terms);
  let text = ratesTexts.get(terms.rates);
  if (text === undefined) ratesTexts.set(terms.rates, (text = JSON.stringify(terms)));
  return text;
}

/** Most orders of a coupon have the same rates: the same object, which need not be written again. */
const ratesTexts = new WeakMap<ReferralTerms['rates'], string>();
