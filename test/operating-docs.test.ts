import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const HEADING = '## At three in the morning';

/** Calls of any logger at the levels warn and error. */
const CALL = /(?:\blog|#log|[lL]og\w*\([^()]*\)|[fF]ailures)\??\.(?:warn|error)\(/g;

const sources = globSync('{src,addons}/**/*.ts', { cwd: root })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(root, name), 'utf8'));

/** The arguments of a call, starting after its parenthesis. */
function argumentsFrom(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let quote = '';
  let begin = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote !== '') {
      if (char === '\\') i += 1;
      else if (char === quote) quote = '';
    } else if (`'"\``.includes(char)) quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (depth > 0 && ')]}'.includes(char)) depth -= 1;
    else if (depth === 0 && (char === ',' || char === ')')) {
      found.push(text.slice(begin, i).trim());
      begin = i + 1;
      if (char === ')') break;
    }
  }
  return found.filter((argument) => argument !== '');
}

/** The beginning of each message that a call may log: a ternary has two. */
function messagesOf(call: string): string[] {
  const last = argumentsFrom(call).at(-1) ?? '';
  const parts = /^\w+ \? /.test(last) ? last.split(/ [?:] /).slice(1) : [last];
  return parts.map((part) => /^['"`]([^]*?)(?:['"`]|\$\{)/.exec(part)?.[1] ?? part);
}

export const logged = sources.flatMap((text) =>
  [...text.matchAll(CALL)].flatMap((match) =>
    messagesOf(text.slice(match.index + match[0].length)),
  ),
);

const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8');
const section = guide.split(HEADING)[1]?.split('\n## ')[0] ?? '';
/** The text in backticks in the first column. */
const listed = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!));

describe('the table of log messages in docs/operating.md', () => {
  test('is found by this test, and so are the messages', () => {
    assert.ok(listed.length > 30, String(listed.length));
    assert.ok(logged.length > 30, String(logged.length));
  });

  test('contains no message that the program does not log', () => {
    const all = sources.join('\n');
    const unknown = listed.filter((words) => !words.startsWith('/') && !all.includes(words));
    assert.deepEqual(unknown, []);
  });

  test('contains every message of the levels warn and error', () => {
    const missing = logged.filter((message) => !listed.some((words) => message.startsWith(words)));
    assert.deepEqual(missing, []);
  });
});
