import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import {
  chooseRates,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../coupons/index.ts';
import type { RateColumns } from '../groups/index.ts';
import { builtInSentence, type BuiltInValues } from './built-in-sentences.ts';
import type { RuleRate } from './rule.ts';

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
