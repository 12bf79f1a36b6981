import type { Language } from '../src/shared/languages.ts';
import type { AffiliateWord } from '../src/web-contract/affiliate-words.ts';
import { numberText } from '../src/shared/formats.ts';
import { keptFormat } from '../src/shared/kept-format.ts';

/** One file of `texts/<language>` per part. */
interface Parts {
  accounts: typeof import('../texts/en/accounts.json');
  calculation: typeof import('../texts/en/calculation.json');
  common: typeof import('../texts/en/common.json');
  console: typeof import('../texts/en/console.json');
  'console-activity': typeof import('../texts/en/console-activity.json');
  'console-add-ons': typeof import('../texts/en/console-add-ons.json');
  'console-affiliates': typeof import('../texts/en/console-affiliates.json');
  'console-applications': typeof import('../texts/en/console-applications.json');
  'console-clicks': typeof import('../texts/en/console-clicks.json');
  'console-coupons': typeof import('../texts/en/console-coupons.json');
  'console-imports': typeof import('../texts/en/console-imports.json');
  'console-keys': typeof import('../texts/en/console-keys.json');
  'console-mails': typeof import('../texts/en/console-mails.json');
  'console-orders': typeof import('../texts/en/console-orders.json');
  'console-outbox': typeof import('../texts/en/console-outbox.json');
  'console-overview': typeof import('../texts/en/console-overview.json');
  'console-palette': typeof import('../texts/en/console-palette.json');
  'console-reports': typeof import('../texts/en/console-reports.json');
  'console-rewards': typeof import('../texts/en/console-rewards.json');
  'console-settings': typeof import('../texts/en/console-settings.json');
  'console-shortcuts': typeof import('../texts/en/console-shortcuts.json');
  'console-team': typeof import('../texts/en/console-team.json');
  'console-tried-order': typeof import('../texts/en/console-tried-order.json');
  errors: typeof import('../texts/en/errors.json');
  portal: typeof import('../texts/en/portal.json');
  'portal-figures': typeof import('../texts/en/portal-figures.json');
  'portal-links': typeof import('../texts/en/portal-links.json');
  'portal-money': typeof import('../texts/en/portal-money.json');
  'portal-orders': typeof import('../texts/en/portal-orders.json');
  'portal-profile': typeof import('../texts/en/portal-profile.json');
  program: typeof import('../texts/en/program.json');
  public: typeof import('../texts/en/public.json');
}

/**
 * By the name of each add-on, the type of its `texts/en.json`, which it merges into this: parts of its own, and what it adds to
 * those of the core.
 */
export interface AddonTexts {}

type KeyIn<T> = { [P in keyof T & string]: `${P}.${keyof T[P] & string}` }[keyof T & string];
type Key = KeyIn<Parts> | { [A in keyof AddonTexts]: KeyIn<AddonTexts[A]> }[keyof AddonTexts];

/** A key of a message, or the common beginning of its plural forms. */
export type WordKey = Key extends infer K
  ? K extends `${infer Base}.one` | `${infer Base}.other` | `${infer Base}.many`
    ? Base
    : K
  : never;

/** What the keys of a title and its text begin with: `console-keys.empty` for `console-keys.emptyTitle` and `…Text`. */
export type TitledKey = TitledIn<WordKey>;
type TitledIn<K> = K extends `${infer Base}Title`
  ? `${Base}Text` extends WordKey
    ? Base
    : never
  : never;

export type Words = Partial<{
  readonly [P in keyof Parts]: Readonly<Record<string, string>>;
}> & {
  /** Loads those of a screen of the console. */
  readonly screens?: Readonly<Record<string, () => Promise<Words>>>;
};

let words: Words = {};
let language: Language = 'en';
let replacements: Record<string, string> = {};

/**
 * Chooses the language of everything that is rendered from now on: in a browser once, on the server before
 * each page, which is rendered synchronously. Every message may use the values of `always`, and what the site calls
 * its affiliates.
 */
export function useWords(
  chosen: Language,
  loaded: Words,
  { affiliateWord, ...always }: Record<string, string> & { affiliateWord: AffiliateWord },
): void {
  language = chosen;
  words = loaded;
  const one = find(`program.${affiliateWord}.one`);
  const other = find(`program.${affiliateWord}.other`);
  replacements = {
    ...always,
    affiliate: one,
    affiliates: other,
    Affiliate: capitalized(one),
    Affiliates: capitalized(other),
  };
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Adds the messages of a screen that has a file of its own. Its parts may add to those that are there. */
export function addWords(loaded: Words): void {
  const added: Record<string, Readonly<Record<string, string>>> = {};
  // A screen has no screens of its own.
  for (const [part, own] of Object.entries(loaded as Omit<Words, 'screens'>)) {
    added[part] = { ...words[part as keyof Parts], ...own };
  }
  words = { ...words, ...added };
}

/** Loads the messages of a screen of the console. That of an extension brings its own. */
export async function loadScreenWords(name: string): Promise<void> {
  const load = words.screens![name];
  if (load) addWords(await load());
}

export function currentLanguage(): Language {
  return language;
}

/** The message with this key in the current language. `count` chooses the plural form. */
export function t(key: WordKey, values: Record<string, string | number> = {}): string {
  return filled(
    typeof values['count'] === 'number' ? plural(key, values['count']) : find(key),
    values,
  );
}

/** An English sentence of the service, with what the site calls its affiliates. */
export const inOwnWord = (sentence: string): string =>
  filled(sentence.replaceAll(/\b[Aa]ffiliates?\b/g, '{$&}'));

function filled(message: string, values: Record<string, string | number> = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name] ?? replacements[name];
    if (value === undefined) return hole;
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

function plural(key: string, count: number): string {
  const rules = keptFormat(`plural ${language}`, () => new Intl.PluralRules(language));
  const form = rules.select(count);
  return find(`${key}.${form}`, `${key}.other`);
}

function find(...keys: string[]): string {
  for (const key of keys) {
    const dot = key.indexOf('.');
    // The part of a key is one of the files.
    const found = words[key.slice(0, dot) as keyof Parts]?.[key.slice(dot + 1)];
    if (found !== undefined) return found;
  }
  return keys[0]!;
}

/** Whether there is a message with this key, for keys that come from data, such as error codes. */
export function hasWord(key: string): key is WordKey {
  const dot = key.indexOf('.');
  return words[key.slice(0, dot) as keyof Parts]?.[key.slice(dot + 1)] !== undefined;
}

export function formatNumber(value: number): string {
  return numberText(language, value);
}
