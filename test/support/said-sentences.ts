import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

const literal = /(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)/.source;
const sentence = `${literal}(?:\\s*\\+\\s*${literal})*`;

/** The sentences that a source has after one of these beginnings, with holes for their values. */
export function sentencesIn(pattern: string, beginning: string): string[] {
  const after = new RegExp(`${beginning}\\s*(${sentence})`, 'gm');
  const files = globSync(pattern, { exclude: ['**/*.test.ts', '**/test/**'] });
  assert.notEqual(files.length, 0, pattern);
  return files
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(after)].map(([, found]) =>
        [...found!.matchAll(new RegExp(literal, 'g'))].map(([part]) => part.slice(1, -1)).join(''),
      ),
    )
    .filter((text) => text.includes(' '));
}

const holed = (text: string) => text.replaceAll(/\$?\{[^}]*\}/g, '{}');

/** Fails unless the texts have every sentence, as it is in the sources. */
export function assertSaid(sentences: readonly string[], texts: Readonly<Record<string, string>>) {
  const known = new Set(Object.keys(texts).map(holed));
  assert.deepEqual(
    sentences.map(holed).filter((one) => !known.has(one)),
    [],
  );
}
