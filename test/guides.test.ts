import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { helpFiles } from '../scripts/build-help.js';
import { guidePages } from '../src/modules/help/guide-pages.ts';

const root = join(import.meta.dirname, '..');
const files = helpFiles(root);

/** What only the readers of docs/api can use: how a program calls the API. */
const REQUESTS: Readonly<Record<string, RegExp>> = {
  'a request': /\b(?:GET|POST|PUT|PATCH|DELETE) [/$…]/,
  'a path of the API': /\/svc\/(?:v2|store)\b/,
  curl: /\bcurl\b/,
  'a block of JSON': /^ *```(?:json)?\n\s*[{[]/m,
  'an error code': /\bsvc_api_\w+/,
};

function requestsIn(text: string): string[] {
  return Object.entries(REQUESTS)
    .filter(([, pattern]) => pattern.test(text))
    .map(([name]) => name);
}

describe('a guide for owners or affiliates', () => {
  for (const { name, reader } of guidePages().values()) {
    if (reader === 'integrator') continue;
    test(`${name} holds no request, and leads to the API in one line at most`, () => {
      const text = readFileSync(join(root, files.get(name)!), 'utf8');
      assert.deepEqual(requestsIn(text), []);
      const lines = text.trimEnd().split('\n');
      const leading = lines.filter((line) => /\]\((?:\.\.\/\.\.\/docs|\.\.)\/api/.test(line));
      assert.ok(leading.length <= 1, leading.join('\n'));
    });
  }
});

describe('a request', () => {
  for (const [name, text] of Object.entries({
    'a request': 'decided with `POST /cases/9/reopen`',
    'a path of the API': 'at https://partners.example/svc/store/v1/orders',
    curl: 'Run `curl https://partners.example`.',
    'a block of JSON': 'Send:\n\n```json\n{ "ids": [31] }\n```\n',
    'an error code': 'refused with `svc_api_conflict`',
  })) {
    test(`is found: ${name}`, () => assert.deepEqual(requestsIn(text), [name]));
  }
});
