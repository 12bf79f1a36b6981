import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const withoutIndent = (text: string) => text.replaceAll(/^\s+/gm, '').trim();

test('every TypeScript snippet of docs/extending.md is part of an example', () => {
  const page = readFileSync(join(root, 'docs/extending.md'), 'utf8');
  const snippets = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);
  assert.ok(snippets.length > 5, String(snippets.length));
  const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => withoutIndent(readFileSync(join(root, 'examples', name), 'utf8')));
  for (const snippet of snippets) {
    const isShown = examples.some((example) => example.includes(withoutIndent(snippet)));
    assert.ok(isShown, `no example contains:\n${snippet}`);
  }
});
