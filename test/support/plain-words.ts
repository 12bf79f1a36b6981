import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Keeps comments, messages and documents in plain technical English. Each rule has a pattern and
 * what to write instead. `node test/support/plain-words.ts src/db docs` lists the errors of those folders.
 */
interface Rule {
  /** A space matches any white space, so that a phrase is found across line breaks. */
  pattern: RegExp;
  instead: string;
}

const rules: Rule[] = [
  // Processes act, not people.
  {
    pattern: /\b(?:some|no|any|every)body\b/i,
    instead: 'the actor: the caller, the transaction, the worker, another instance, no caller',
  },
  { pattern: /\bwhoever\b/i, instead: 'the caller that …, any request that …' },
  { pattern: /\bthose whom?\b/i, instead: 'the noun: callers that …, affiliates that …' },
  { pattern: /(?:^|^ |[.;:] )Those that\b/, instead: 'the noun: deliveries that …, rows that …' },
  { pattern: /(?:^|^ |[.;:] )Who (?!\w+s? what)[^?]*?\./, instead: 'a noun: a caller that …' },
  { pattern: /\bwho asks\b/i, instead: 'the caller' },
  {
    pattern: /\bstrangers?\b/i,
    instead: 'an unauthenticated caller, another package, an unknown server',
  },
  // The usual verb.
  { pattern: /\btold\b(?! apart)/i, instead: 'emitted, notified, reported, passed' },
  { pattern: /\btell(?:s|ing)? of\b/i, instead: 'report, describe, announce' },
  { pattern: /\bhea(?:rs?|rd) (?:of|from|that)\b/i, instead: 'is notified of, receives' },
  { pattern: /\b(?:is|are|was|were) said\b/i, instead: 'logged, reported, stated' },
  { pattern: /\bmeanwhile\b/i, instead: 'during …, while … runs, at the same time' },
  { pattern: /\banew\b/i, instead: 'again, or the verb: recreate, rebuild, restart' },
  {
    pattern: /\b(?:takes?|taken|taking|took) in\b(?! (?:\w+ )?(?:parts|total|order)\b)/i,
    instead: 'ingest, accept, insert',
  },
  { pattern: /\b(?:writes?|writing|written|wrote) down\b/i, instead: 'store, insert, record' },
  { pattern: /\b(?:give[ns]?|gave|giving) back\b/i, instead: 'return, release' },
  { pattern: /\bma(?:kes?|king|de) do\b/i, instead: 'use' },
  { pattern: /\b(?:goes|go|going|went) without\b/i, instead: 'has no, skips, omits' },
  { pattern: /\b(?:holds?|holding|held) up\b/i, instead: 'block, delay' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, repair' },
  {
    pattern: /\b(?:stands?|standing|stood) still\b/i,
    instead: 'is stopped, is blocked, stays constant',
  },
  {
    pattern:
      /\b(?:stands?|stood|lies?|lay) (?:in(?! for| the (?:past|future))|under|beside|at|on|behind|there)\b/i,
    instead: 'is in, is next to',
  },
  {
    pattern: /\b(?:is|are|was|were|be|being|been) (?:\w+ )?asked for\b/i,
    instead: 'requested, polled, queried',
  },
  {
    pattern:
      /\bkept (?:rows?|answers|figures?|totals?|pages?|cop(?:y|ies)|reports?|bod(?:y|ies)|callers?|responses?|in memory)\b/i,
    instead: 'cached, stored',
  },
  { pattern: /\bcomes? to (?:an|its|their) end\b/i, instead: 'ends' },
  // The technical term.
  {
    pattern: /\b(?:takes?|taking|took) turns\b/i,
    instead: 'SQLite, which has one writer; wait for each other',
  },
  { pattern: /\btrips? to (?:a|the) server\b/i, instead: 'PostgreSQL round trip' },
  { pattern: /\blists? in JSON\b/i, instead: 'JSON array' },
  { pattern: /\bcharacter 0\b/i, instead: 'NUL' },
  { pattern: /\bhow-?manieth\b/i, instead: '1-based position' },
  {
    pattern: /\b(?:the|this|that|their|its|any|another|same|which|own) sequence\b/i,
    instead: 'order',
  },
  // Grammar.
  {
    pattern:
      /\b(?:one|rows?|lines?|statements?|times|trips?) an? (?!second|minute|hour|day|week|month|year|time|bit)[a-z]+/i,
    instead: 'one per …',
  },
  { pattern: /\bbut for\b/i, instead: 'except' },
  { pattern: /\bin vain\b/i, instead: 'without effect' },
];

/**
 * For what people read: the texts of screens and emails, and the guides. The rules above are for engineers. Each pattern is a sentence that a native reader stumbled over.
 */
const rulesForReaders: Rule[] = [
  { pattern: /\be-mail/i, instead: 'email' },
  { pattern: /\bwhat needs you\b/i, instead: 'needs your attention' },
  { pattern: /\bowed again\b/i, instead: 'returned to the balance' },
  { pattern: /\bno way back\b/i, instead: 'permanently' },
  { pattern: /\b(?:is|are) not asked\b/i, instead: 'is skipped' },
  { pattern: /\bconcerns no (?:one|person|affiliate)\b/i, instead: 'does not affect' },
  { pattern: /\bcounts as no\b/i, instead: 'is not counted' },
  { pattern: /\bthe own \w/i, instead: 'their own' },
  { pattern: /\bas if there had been\b/i, instead: 'as usual' },
  { pattern: /\bnothing of yours\b/i, instead: 'your changes were not saved' },
  { pattern: /\bit says now\b/i, instead: 'the current … is' },
  { pattern: /\bhas an answer already\b/i, instead: 'has already been answered' },
  { pattern: /\bworst moment\b/i, instead: 'during a payment, during a request' },
  { pattern: /\bnothing has this name\b/i, instead: 'no match' },
  { pattern: /\bto the start\b/i, instead: 'go to the home page' },
  { pattern: /\bis tried again by itself\b/i, instead: 'retrying automatically' },
  { pattern: /\bwhat became of\b/i, instead: 'results, outcome' },
  { pattern: /\bas soon as you enter\b/i, instead: 'enter … to see' },
  { pattern: /\b(?:orders|those) that have come\b/i, instead: 'existing orders' },
  { pattern: /\bhow-?manieth\b/i, instead: 'which, number' },
];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A comment, a string or a document, with the line it starts on. */
interface Prose {
  line: number;
  text: string;
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** Code in back-ticks may use any word: it quotes names and messages. */
const withoutInlineCode = (text: string) => text.replaceAll(/`[^`\n]*`/g, blank);

/** A regular expression starts where a value may start: after an operator, a bracket or `return`. */
const startsRegExp = /(?:^|[(,=:[!&|?{;>]|\breturn)\s*$/;
const regExp = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const string = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y;
const comment = /\/\*[^]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/y;
const templatePart = /(?:\\[^]|\$(?!\{)|[^`\\$])*/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The comments of a TypeScript file, and its strings of more than one word. */
export function proseOfCode(text: string): Prose[] {
  const found: Prose[] = [];
  /** Open braces inside each template literal that is open. */
  const templates: number[] = [];
  let line = 1;
  let at = 0;

  function take(part: string, prose?: string): void {
    if (prose && /\S\s+\S/.test(prose)) found.push({ line, text: prose });
    line += part.split('\n').length - 1;
    at += part.length;
  }
  function takeTemplatePart(): void {
    const part = matchAt(templatePart, text, at)!;
    take(part, part);
    if (text[at] === '`') take('`');
    else if (at < text.length) {
      take('${');
      templates.push(0);
    }
  }

  while (at < text.length) {
    const char = text[at]!;
    const note = char === '/' ? matchAt(comment, text, at) : undefined;
    if (note) {
      const plain = note.replaceAll(/^[ \t]*(?:\/\*+|\*\/|\*|\/\/)|\*\/$/gm, blank);
      take(note, withoutInlineCode(plain));
    } else if (char === '/' && startsRegExp.test(text.slice(Math.max(0, at - 40), at))) {
      take(matchAt(regExp, text, at) ?? char);
    } else if (char === "'" || char === '"') {
      const quoted = matchAt(string, text, at) ?? char;
      take(quoted, quoted.slice(1, -1));
    } else if (char === '`') {
      take(char);
      takeTemplatePart();
    } else if (char === '}' && templates.at(-1) === 0) {
      templates.pop();
      take(char);
      takeTemplatePart();
    } else {
      if (templates.length > 0 && char === '{') templates[templates.length - 1]! += 1;
      if (templates.length > 0 && char === '}') templates[templates.length - 1]! -= 1;
      take(char);
    }
  }
  return found;
}

/** A document without its code. Released sections of the change log are history and stay. */
function proseOfDocument(path: string, text: string): Prose[] {
  const current = path === 'CHANGELOG.md' ? text.split(/^## .*\(\d{4}-/m)[0]! : text;
  return [{ line: 1, text: withoutInlineCode(current.replaceAll(/^ *```[^]*?^ *```/gm, blank)) }];
}

const anySpace = (pattern: RegExp) =>
  new RegExp(pattern.source.replaceAll(' ', String.raw`\s+`), `${pattern.flags}g`);
const withAnySpace = (all: readonly Rule[]) =>
  all.map(({ pattern, instead }) => ({ pattern: anySpace(pattern), instead }));
const patterns = withAnySpace(rules);
const patternsForReaders = withAnySpace(rulesForReaders);
const isForReaders = (path: string) =>
  /^(?:addons\/[^/]+\/)?(?:texts\/|docs\/guides\/|guides\/|guide\.md|README\.md)/.test(path);

function errorsOfProse(path: string, prose: Prose[]): string[] {
  return prose.flatMap(({ line, text }) =>
    (isForReaders(path) ? patternsForReaders : patterns).flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((match) => {
        const start = match.index + match[0].search(/[^\s.;:]/);
        const at = line + text.slice(0, start).split('\n').length - 1;
        const phrase = match[0]
          .replaceAll(/\s+/g, ' ')
          .replace(/^[.;:\s]+/, '')
          .slice(0, 60);
        return `${path}:${at} “${phrase}” → ${instead}`;
      }),
    ),
  );
}

export function errorsOf(path: string, text: string): string[] {
  const prose = path.endsWith('.md') ? proseOfDocument(path, text) : proseOfCode(text);
  return errorsOfProse(path, prose);
}

const folders = 'src addons texts web test bench scripts examples deploy docs'.split(' ');

/** Paths of all documents, TypeScript files and English texts, from the root. */
function readableFiles(): string[] {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name).replaceAll(sep, '/'),
    ),
  );
  return [...readdirSync(root), ...inFolders].filter(
    (path) =>
      /\.(?:tsx?|md)$|^texts\/en\/.*\.json$|^addons\/[^/]+\/texts\/en\.json$/.test(path) &&
      !path.includes('node_modules/'),
  );
}

/** The errors of all files, or of those in the given folders. */
export function allErrors(under: readonly string[] = ['']): string[] {
  return readableFiles()
    .filter((path) => under.some((folder) => path.startsWith(folder)))
    .flatMap((path) => errorsOf(path, readFileSync(join(root, path), 'utf8')));
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  for (const error of allErrors(given.length > 0 ? given : undefined)) console.log(error);
}
