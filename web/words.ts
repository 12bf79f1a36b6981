import type { Language } from '../src/shared/languages.ts';
import type { AffiliateWord } from '../src/web-contract/affiliate-words.ts';
import type accounts from '../texts/en/accounts.json';
import type common from '../texts/en/common.json';
import type consoleWords from '../texts/en/console.json';
import type errors from '../texts/en/errors.json';
import type program from '../texts/en/program.json';
import type portal from '../texts/en/portal.json';
import type publicWords from '../texts/en/public.json';

/**
 * One file of `texts/<language>` per part. A screen of the console adds its own part with `addWords`, so that its
 * words are in its chunk.
 */
export interface Parts {
  accounts: typeof accounts;
  common: typeof common;
  console: typeof consoleWords;
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
  'console-payouts': typeof import('../texts/en/console-payouts.json');
  'console-reports': typeof import('../texts/en/console-reports.json');
  'console-settings': typeof import('../texts/en/console-settings.json');
  'console-shortcuts': typeof import('../texts/en/console-shortcuts.json');
  'console-stores': typeof import('../texts/en/console-stores.json');
  'console-team': typeof import('../texts/en/console-team.json');
  'console-tried-order': typeof import('../texts/en/console-tried-order.json');
  'console-webhooks': typeof import('../texts/en/console-webhooks.json');
  errors: typeof errors;
  portal: typeof portal;
  program: typeof program;
  public: typeof publicWords;
}

type KeyOf<P extends keyof Parts> = `${P}.${keyof Parts[P] & string}`;
type Key = { [P in keyof Parts]: KeyOf<P> }[keyof Parts];

/** A key of a message, or the common beginning of its plural forms. */
export type WordKey = Key extends infer K
  ? K extends `${infer Base}.one` | `${infer Base}.other` | `${infer Base}.many`
    ? Base
    : K
  : never;

export type Words = Partial<{ readonly [P in keyof Parts]: Readonly<Record<string, string>> }>;

let words: Words = {};
let added: Words = {};
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
  words = { ...loaded, ...added };
  replacements = {
    ...always,
    affiliate: find(`program.${affiliateWord}.one`),
    affiliates: find(`program.${affiliateWord}.other`),
  };
}

/** Adds the words of a part that comes with its own code, before or after `useWords`. */
export function addWords(part: Words): void {
  added = { ...added, ...part };
  words = { ...words, ...part };
}

export function currentLanguage(): Language {
  return language;
}

/** The message with this key in the current language. `count` chooses the plural form. */
export function t(key: WordKey, values: Record<string, string | number> = {}): string {
  const message = typeof values['count'] === 'number' ? plural(key, values['count']) : find(key);
  return message.replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name] ?? replacements[name];
    if (value === undefined) return hole;
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

function plural(key: string, count: number): string {
  const form = new Intl.PluralRules(language).select(count);
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
  return new Intl.NumberFormat(language).format(value);
}
