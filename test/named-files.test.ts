import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = [
  'ARCHITECTURE.md',
  'README.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
  ...globSync('addons/*/*.md', { cwd: root }),
];

const PATH = /^(?:src|addons|test|texts|web|bench|scripts|examples|deploy|bin|docs)\/[\w./-]*\w$/;
const codeSpans = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
/**
 * A file that operators create from an example counts as present, and so do those of the add-on that scripts/without-addons.ts has
 * deleted: the documents describe the complete program.
 */
const isPresent = (path: string) =>
  path.startsWith(`addons/${process.env['WITHOUT_ADDON']}/`) ||
  [path, `${path}.example`].some((name) => existsSync(join(root, name)));
/** Decisions that were superseded name files of their time. */
const isHistory = (text: string) => text.includes('**Superseded**');

describe('files that the documents name', () => {
  test('exist', () => {
    const missing = documents
      .filter((document) => !isHistory(textOf(document)))
      .flatMap((document) =>
        codeSpans(textOf(document))
          .filter((code) => PATH.test(code) && !isPresent(code))
          .map((code) => `${document}: ${code}`),
      );
    assert.deepEqual(missing, []);
  });

  test('contain the functions that docs/newcomer.md names', () => {
    const answers = textOf('docs/newcomer.md').split('\n## ').slice(1);
    assert.equal(answers.length, 12);
    for (const answer of answers) {
      const spans = codeSpans(answer);
      const files = spans.filter((code) => /^(?:src|addons)\/.*\.ts$/.test(code));
      assert.ok(files.length > 0, answer);
      const text = files
        .filter((path) => statSync(join(root, path)).isFile())
        .map(textOf)
        .join('\n');
      const names = spans.filter((code) => /^[a-z]+[A-Z]\w*$/.test(code));
      for (const name of names) assert.match(text, new RegExp(`\\b${name}\\b`), name);
    }
  });

  test('are easy to find by an error code: the sources contain each one literally', () => {
    const sources = globSync('{src,addons}/**/*.ts', { cwd: root })
      .filter((name) => !name.endsWith('.test.ts'))
      .map(textOf)
      .join('\n');
    const codes = [...textOf('docs/errors.md').matchAll(/^\| `([^`]+)`/gm)].map(
      ([, code]) => code!,
    );
    assert.ok(codes.length > 30);
    assert.deepEqual(
      codes.filter((code) => !sources.includes(`'${code}'`)),
      [],
    );
    const foreign = codes.filter((code) => !/^(?:svc_api|rest)_/.test(code));
    assert.deepEqual(
      foreign,
      [],
      'codes of the service begin with svc_api_, of the platform with rest_',
    );
  });
});
