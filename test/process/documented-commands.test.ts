import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { before, describe, test } from 'node:test';
import { tempFolder } from './launch.ts';
import { runEach } from './run.ts';

// The name "tributary" belongs to another package in the npm registry. A command that runs packages
// and does not find the checkout would fetch and run that package.

const root = join(import.meta.dirname, '../..');
const own = relative(root, import.meta.filename);
const SKIPPED = new Set(['node_modules', '.git', 'data', 'demo-data']);

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesUnder(path);
      return entry.isFile() && statSync(path).size < 2_000_000 ? [path] : [];
    });
}

const texts = filesUnder(root)
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path }) => path !== own);

describe('documented commands', () => {
  let commands: string[] = [];

  before(async () => {
    const [help] = await runEach([{ args: ['--help'] }]);
    const list = help!.stdout.split('\nCommands:\n')[1]!.split('\n\n')[0]!;
    commands = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!);
    assert.ok(commands.includes('start'), help!.stdout);
  });

  test('none can fetch a package named tributary from a registry', () => {
    const fetching =
      /\b(?:npx|npm (?:exec|x)|(?:pnpm|yarn) dlx|bunx)(?: -\S+)* (?:--package[= ]\S+ )?tributary\b/;
    const errors = texts.filter(({ text }) => fetching.test(text)).map(({ path }) => path);
    assert.deepEqual(errors, []);
    assert.match('npx tributary start', fetching);
    assert.match('npm exec -- tributary', fetching);
  });

  test('the package does not have the name of that other package', () => {
    for (const file of ['package.json', 'package-lock.json']) {
      const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
      assert.equal(name, 'tributary-affiliates', file);
    }
  });

  test('./tributary is the program, from whatever folder it is called', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    for (const cwd of [root, tempFolder()]) {
      const printed = execFileSync(join(root, 'tributary'), ['--version'], {
        cwd,
        encoding: 'utf8',
      });
      assert.equal(printed, `${version}\n`);
    }
  });

  test('every ./tributary COMMAND in the documentation and the sources exists', () => {
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\.\/tributary ([a-z][a-z-]*)/g)].map(([, name]) => ({ path, name })),
    );
    assert.ok(named.length > 30, 'they are found');
    assert.deepEqual(
      named.filter(({ name }) => !commands.includes(name!)),
      [],
    );
  });
});
