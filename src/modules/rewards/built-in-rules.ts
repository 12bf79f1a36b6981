import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { textIn } from '../../shared/texts.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../coupons/index.ts';

/** What is asked below the owner's rules, in this order. */
export const builtInNames = ['renewals', 'products', 'coupon', 'group', 'store'] as const;

export interface BuiltInRule {
  name: (typeof builtInNames)[number];
  sentence: string;
}

export function builtInRules(site: Site, language: Language): BuiltInRule[] {
  const values = {
    products: Object.keys(settingOf(site, 'commission.product_percents') ?? {}).length,
    rates: ratesOfStore(site, language),
  };
  return builtInNames.map((name) => ({
    name,
    sentence: textIn(language, `server.rewards.builtIn.${name}`, values),
  }));
}

/** Settings of a module that uses this one, which cannot be imported here. */
function settingOf(site: Site, key: string): object | undefined {
  const setting = site.registry.settings().get(key);
  // The keys above are those of settings with an object.
  return setting && (site.settings.get(setting) as object);
}

/** The rates of the store that are not 0; if all are, the percentage. */
function ratesOfStore({ settings, currency }: Site, language: Language): string {
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 6 });
  const money = new Intl.NumberFormat(language, { style: 'currency', currency: currency.code });
  const fixed = (['fixedPerOrder', 'fixedPerProduct'] as const).flatMap((name) => {
    const amount = settings.get(
      name === 'fixedPerOrder' ? commissionFixedPerOrder : commissionFixedPerProduct,
    );
    if (amount === 0) return [];
    return [textIn(language, `server.rewards.${name}`, { amount: money.format(amount) })];
  });
  const share = settings.get(commissionPercent);
  const parts = share === 0 && fixed.length > 0 ? fixed : [percent.format(share / 100), ...fixed];
  return new Intl.ListFormat(language).format(parts);
}
