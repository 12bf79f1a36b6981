import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, type Language } from '../src/shared/languages.ts';
import { findText } from '../src/shared/texts.ts';
import { affiliateWords, type AffiliateWord } from '../src/web-contract/affiliate-words.ts';
import { readTexts } from './addon-files.js';

/**
 * Checks the catalogue: every language has the same keys and placeholders, every key is used, English has one word for one
 * thing, affiliates are called by the word of the site, and every text is translated, except those of the API, and of the console in languages without one. Run it with `npm run check`.
 */

type Messages = ReadonlyMap<string, string>;

/** Messages that are the same as in English: names, abbreviations, and words that are alike. */
const alike = JSON.parse(
  readFileSync(new URL('./texts-alike.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

/** What texts and guides in English write in one way. Names in code, such as `mail.reply_to`, are something else. */
const wording: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  {
    pattern: /(?<![\w.{/-])(?:e-mail|mail)(?:s|ed)?(?![\w}@/-]|\.\w| servers?\b)/i,
    instead: 'email',
  },
];

/** One line for each word that has another one in its place. */
export function wrongWords(place: string, text: string): string[] {
  return wording.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${place} says "${found}": ${instead}`];
  });
}

/** Portuguese is that of Brazil; these words are those of Portugal. */
const EUROPEAN =
  /(?<!\p{L})(?:ficheiro|utilizador|ecrã|telemóve|encomenda|equipa(?!\p{L})|partilh|ligaç|definiç|elimin|cupão|introdu[zç])\p{L}*/iu;

/** Of the forms that Intl knows, `many` is for millions; `.other` is used where it is missing. */
const OPTIONAL_FORM = 'many';
const FORM = /\.(zero|one|two|few|many|other)$/;

export interface TextsToCheck {
  /** The folder with `texts` and `addons`. */
  readonly root: string;
  /** Folders with the source files that use the messages. */
  readonly sources: readonly string[];
}

/** Returns one line per error. */
export function checkTexts({ root, sources }: TextsToCheck): string[] {
  const all = new Map(languages.map((language) => [language, readMessages(root, language)]));
  const english = all.get('en')!;
  const errors = unusedIn(english, sources);
  errors.push(...[...english].flatMap(([key, text]) => wrongWords(`en ${key}`, text)));
  const unknown = readdirSync(join(root, 'texts')).filter(
    (name) => !languages.some((one) => one === name),
  );
  errors.push(...unknown.map((name) => `src/shared/languages.ts lacks ${name}`));
  for (const [language, messages] of all) {
    errors.push(...formsMissing(language, messages), ...otherAffiliateWords(language, messages));
    if (language === 'fr') errors.push(...wrongSpaces(messages));
    if (language === 'pt') errors.push(...europeanWords(messages));
    if (language === 'en') continue;
    for (const key of english.keys()) {
      if (!messages.has(key) && !isOptional(key) && !isEnglishOnly(key, messages))
        errors.push(`${language} lacks ${key}`);
    }
    for (const [key, text] of messages) {
      // Declarations and errors of the service have the English words; tests compare them.
      if (/^(console-setting-names|said)\./.test(key)) continue;
      errors.push(...compare(language, key, text, english));
    }
  }
  return errors;
}

/**
 * Texts that write a word for affiliates instead of `{affiliate}`, which becomes the word of the site. The API has one word.
 */
function otherAffiliateWords(language: Language, messages: Messages): string[] {
  const pattern = wordPattern(language, affiliateWords);
  return [...messages].flatMap(([key, text]) => {
    if (/^(api|program)\./.test(key)) return [];
    const found = pattern.exec(text.replaceAll(HOLE, '').replaceAll(OTHER_SYSTEMS, ''))?.[0];
    return found === undefined ? [] : [`${language} ${key} says "${found}": {affiliate}`];
  });
}

const OTHER_SYSTEMS = /AffiliateWP|Coupon Affiliates/g;

/** Finds the words with any ending, such as the plural. */
function wordPattern(language: Language, words: readonly AffiliateWord[]): RegExp {
  const forms = words.map((word) => findText(language, `program.${word}.one`)!);
  return new RegExp(String.raw`(?<![\p{L}/])(?:${forms.join('|')})\p{L}*`, 'iu');
}

/** French signs that a line must not begin or end with are held by a narrow no-break space. Programs write `https://` and `":`. */
const WITHOUT_SPACE = /(?<![\u202F"])(?:[:;!?](?=\s|$)|»)|«(?!\u202F)/;

function wrongSpaces(messages: Messages): string[] {
  return [...messages].flatMap(([key, text]) => {
    const sign = WITHOUT_SPACE.exec(text)?.[0];
    return sign === undefined ? [] : [`fr ${key} lacks the narrow no-break space beside ${sign}`];
  });
}

function europeanWords(messages: Messages): string[] {
  return [...messages].flatMap(([key, text]) => {
    const word = EUROPEAN.exec(text)?.[0];
    return word === undefined ? [] : [`pt ${key} says "${word}", as in Portugal`];
  });
}

function readMessages(root: string, language: Language): Messages {
  const messages = new Map<string, string>();
  for (const [part, texts] of Object.entries(readTexts(root, language))) {
    for (const [key, text] of Object.entries(texts)) messages.set(`${part}.${key}`, text);
  }
  return messages;
}

/** The key without the plural form. */
const baseOf = (key: string) => key.replace(FORM, '');

const isOptional = (key: string) => key.endsWith(`.${OPTIONAL_FORM}`);

/**
 * The API is in English only. A language has the console or does not: `console.json`, and `console-orders.json` for a
 * screen.
 */
function isEnglishOnly(key: string, messages: Messages): boolean {
  return key.startsWith('api.') || (/^console[.-]/.test(key) && !messages.has('console.search'));
}

function formsMissing(language: Language, messages: Messages): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const bases = new Set([...messages.keys()].filter((key) => FORM.test(key)).map(baseOf));
  return [...bases].flatMap((base) =>
    forms
      .filter((form) => form !== OPTIONAL_FORM && !messages.has(`${base}.${form}`))
      .map((form) => `${language} lacks the plural form ${base}.${form}`),
  );
}

function compare(language: Language, key: string, text: string, english: Messages): string[] {
  const original = english.get(key) ?? (isOptional(key) && english.get(`${baseOf(key)}.other`));
  if (typeof original !== 'string') return [`${language} has ${key}, which English lacks`];
  const errors: string[] = [];
  const [wanted, found] = [placeholdersOf(original), placeholdersOf(text)];
  // A form for one thing may write the number as a word or leave it out.
  if (FORM.test(key)) for (const names of [wanted, found]) names.delete('count');
  if ([...wanted].join() !== [...found].join()) {
    errors.push(`${language} ${key} has the placeholders ${list(found)}, English ${list(wanted)}`);
  }
  if (text === original && !isAlike(language, text)) {
    errors.push(
      `${language} ${key} is not translated: ${text} (scripts/texts-alike.json lists words that are alike)`,
    );
  }
  return errors;
}

function isAlike(language: Language, text: string): boolean {
  const hasWords = /\p{L}{2}/u.test(text.replaceAll(HOLE, ''));
  return !hasWords || [...alike['every']!, ...(alike[language] ?? [])].includes(text);
}

/** `{name}`, or `{{name}}`, `{{#name}}` and so on in the templates of mails. */
const HOLE = /\{(?:\{[#^/]?)?([\w.]+)\}/g;

/** `{affiliate}` and `{affiliates}` are forms of one word, and a sentence may do without it. */
function placeholdersOf(text: string): Set<string> {
  const names = [...text.matchAll(HOLE)].map(([, name]) => name!);
  return new Set(names.filter((name) => !/^affiliates?$/i.test(name)).toSorted());
}

const list = (names: Set<string>) => (names.size === 0 ? 'none' : [...names].join(', '));

/**
 * A key is used if the source contains it as a literal, if an `EmptyState` is `of` its beginning, or if a template literal
 * such as `portal.pool.${part}` can become it: a hole stands for a name without dots.
 */
function unusedIn(english: Messages, sources: readonly string[]): string[] {
  const literals = new Set<string>();
  const patterns = new Set<string>();
  const names = new Set<string>();
  for (const text of sources.flatMap(sourcesIn)) {
    for (const [, literal] of text.matchAll(/['"`]([\w-]+(?:\.[\w-]+)+)['"`]/g))
      literals.add(literal!);
    for (const [, titled] of text.matchAll(/<EmptyState\s+of="([\w.-]+)"/g)) {
      literals.add(`${titled}Title`).add(`${titled}Text`);
    }
    for (const [, name] of text.matchAll(/Mail\(\s*'([\w-]+)'/g)) names.add(name!);
    for (const [, template] of text.matchAll(/`((?:[\w-]+\.)+(?:[\w.-]|\$\{[^}`]*\})*)`/g)) {
      if (template!.includes('${')) patterns.add(template!);
    }
  }
  const dynamic = [...patterns].map((template) => {
    const escaped = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
    return new RegExp(`^${escaped.join('[\\w-]+')}$`);
  });
  const isUsed = (key: string) => {
    // `defineMail` takes the name of a mail.
    const mail = /^mails\.([\w-]+)\./.exec(key)?.[1];
    if (mail !== undefined) return names.has(mail);
    return literals.has(key) || dynamic.some((one) => one.test(key));
  };
  return [...english.keys()]
    .filter((key) => !isUsed(key) && !isUsed(baseOf(key)))
    .map((key) => `${key} is not used`);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const errors = checkTexts({
    root,
    sources: ['web', 'src', 'addons'].map((folder) => join(root, folder)),
  });
  for (const error of errors) console.error(error);
  if (errors.length > 0) process.exitCode = 1;
}
