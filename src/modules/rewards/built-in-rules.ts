import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import {
  chooseRates,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../coupons/index.ts';
import type { RateColumns } from '../groups/index.ts';
import type { RuleRate } from './rule.ts';
import { rateText } from './sentence-clauses.ts';
import { writerIn, type SentenceWriter, type Store } from './sentence-parts.ts';

/** What the sentences of the built-in rows, which follow the rules of the owner, are made of. */
export interface BuiltInValues {
  /** 0: they earn nothing; null: like the first payment; undefined: each store has a setting of its own. */
  readonly renewals: { readonly months?: number | null };
  readonly products: { readonly count: number };
  /** A coupon of the affiliate that reads it; null for all coupons. */
  readonly coupon: { readonly code: string; readonly rate: RuleRate } | null;
  readonly group: null;
  /** `isAll`: nothing above it decides for the reader. */
  readonly store: { readonly rate: RuleRate; readonly isAll?: boolean };
}

const rows: {
  readonly [Name in keyof BuiltInValues]: (
    writer: SentenceWriter,
    values: BuiltInValues[Name],
    site: Store,
  ) => string;
} = {
  renewals: (writer, { months }) => {
    if (months === undefined) return writer.say('rewards.builtIn.renewals.settings');
    if (months === null) return writer.say('rewards.builtIn.renewals.like');
    return months === 0
      ? writer.say('rewards.builtIn.renewals.nothing')
      : writer.counted('rewards.builtIn.renewals.months', months);
  },
  products: (writer, { count }) => writer.counted('rewards.builtIn.products', count),
  coupon: (writer, own, site) =>
    own
      ? writer.say('rewards.builtIn.coupon.own', {
          names: own.code,
          rate: rateText(writer, own.rate, site),
        })
      : writer.say('rewards.builtIn.coupon.all'),
  group: (writer) => writer.say('rewards.builtIn.group'),
  store: (writer, { rate, isAll }, site) =>
    writer.say(isAll ? 'rewards.builtIn.store.all' : 'rewards.builtIn.store', {
      rate: rateText(writer, rate, site),
    }),
};

/** @public For tests. */
export function builtInSentence<Name extends keyof BuiltInValues>(
  name: Name,
  values: BuiltInValues[Name],
  language: Language,
  site: Store,
): string {
  return rows[name](writerIn(language), values, site);
}

/** What is asked below the owner's rules, in this order. */
export const builtInNames = ['renewals', 'products', 'coupon', 'group', 'store'] as const;

export interface BuiltInRule {
  name: (typeof builtInNames)[number];
  sentence: string;
}

export function builtInRules(site: Site, language: Language): BuiltInRule[] {
  const { settings } = site;
  const values: BuiltInValues = {
    renewals: monthsOfRenewals(site),
    products: { count: countProducts(site) },
    coupon: null,
    group: null,
    store: {
      rate: shownRate(
        settings.get(commissionPercent),
        settings.get(commissionFixedPerOrder),
        settings.get(commissionFixedPerProduct),
      ),
    },
  };
  return builtInNames.map((name) => ({
    name,
    sentence: builtInSentence(name, values[name], language, site),
  }));
}

/** What an affiliate with these coupons earns where none of its rules applies: for each coupon, if they differ. */
export function builtInRulesOf(
  site: Site,
  language: Language,
  coupons: readonly (RateColumns & { code: string })[],
  groups: readonly RateColumns[],
  hasRules: boolean,
): BuiltInRule[] {
  const rules: BuiltInRule[] = [];
  const add = <Name extends BuiltInRule['name']>(name: Name, values: BuiltInValues[Name]) =>
    rules.push({ name, sentence: builtInSentence(name, values, language, site) });
  const count = countProducts(site);
  if (count > 0) add('products', { count });
  const rates = coupons.map((coupon) => ({
    code: coupon.code,
    rate: effectiveRate(site, coupon, groups),
  }));
  if (new Set(rates.map(({ rate }) => JSON.stringify(rate))).size > 1) {
    for (const one of rates) add('coupon', one);
  } else {
    const rate = rates[0]?.rate ?? effectiveRate(site, NO_RATES, groups);
    add('store', { rate, isAll: !hasRules && count === 0 });
  }
  return rules;
}

const NO_RATES: RateColumns = { percent: null, fixed_per_order: null, fixed_per_product: null };

function effectiveRate(site: Site, coupon: RateColumns, groups: readonly RateColumns[]): RuleRate {
  const { percent, fixedPerOrder, fixedPerProduct } = chooseRates(site, coupon, groups);
  const { currency } = site;
  return shownRate(
    percent.value,
    currency.toMajor(fixedPerOrder.value),
    currency.toMajor(fixedPerProduct.value),
  );
}

/** The rates that are not 0; if all are, the percentage. */
function shownRate(percent: number, perOrder: number, perProduct: number): RuleRate {
  return {
    percent: percent || (perOrder || perProduct ? null : 0),
    fixed_per_order: perOrder || null,
    fixed_per_product: perProduct || null,
  };
}

/** "once", "always" or a number of months. The module of the setting uses this one, so it cannot be imported here. */
function monthsOfRenewals({ registry, settings }: Site): BuiltInValues['renewals'] {
  const setting = registry.settings().get('commission.renewals');
  if (!setting) return {};
  const value = String(settings.get(setting));
  if (value === 'always') return { months: null };
  return { months: value === 'once' ? 0 : Number(value) };
}

/** Read by its key, like the setting above. */
function countProducts({ registry, settings }: Site): number {
  const setting = registry.settings().get('commission.product_percents');
  // Its schema is a record of percentages.
  return setting ? Object.keys(settings.get(setting) as object).length : 0;
}
