import type { Language } from '../../shared/languages.ts';
import type { RuleRate } from './rule.ts';
import { rateText, type Store } from './sentence-clauses.ts';
import { writerIn, type SentenceWriter } from './sentence-parts.ts';

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

export function builtInSentence<Name extends keyof BuiltInValues>(
  name: Name,
  values: BuiltInValues[Name],
  language: Language,
  site: Store,
): string {
  return rows[name](writerIn(language), values, site);
}
