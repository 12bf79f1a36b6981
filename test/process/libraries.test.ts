import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';

const project = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A checkout with the files in question and packages as given: linked, or said to be of a version. */
function makeCheckout(packages: Record<string, { version: string } | 'installed'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-libraries-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of ['bin/libraries.js', 'scripts/bundle-libraries.js']) {
    cpSync(join(project, file), join(folder, file));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, what] of Object.entries(packages)) {
    const place = join(folder, 'node_modules', name);
    if (what !== 'installed') {
      writePackage(place, { version: what.version, code: `export const from = 'the package';` });
      continue;
    }
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(project, 'node_modules', name), place);
  }
  return folder;
}

function writePackage(place: string, { version, code }: { version: string; code: string }): void {
  mkdirSync(place, { recursive: true });
  const manifest = { type: 'module', version, exports: { '.': './index.js' } };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(place, 'index.js'), code);
}

/** What the code prints that runs after the libraries were put in place, as at the start of the program. */
async function printed(folder: string, code: string): Promise<string> {
  const file = join(folder, 'run.js');
  writeFileSync(
    file,
    `import { useBundledLibraries } from './bin/libraries.js';\nuseBundledLibraries();\n${code}`,
  );
  const { stdout } = await run(process.execPath, [file]);
  return stdout.trim();
}

const bundle = (folder: string) =>
  run(process.execPath, [join(folder, 'scripts/bundle-libraries.js')]);

const PACKAGES = { typebox: { version: '1.0.0' }, kysely: { version: '1.0.0' } };
const WHERE_FROM = `console.log((await import('kysely')).from)`;

describe('libraries in a few files', () => {
  test('are loaded instead of the packages, and do the same', async () => {
    const folder = makeCheckout({
      typebox: 'installed',
      kysely: 'installed',
      esbuild: 'installed',
    });
    const asked = `
      import module from 'node:module';
      let loaded = 0;
      module.registerHooks({ load: (url, context, next) => ((loaded += 1), next(url, context)) });
      const { default: Type } = await import('typebox');
      const { Compile } = await import('typebox/compile');
      const { Kysely } = await import('kysely');
      const check = Compile(Type.Object({ id: Type.Integer({ minimum: 1 }) }));
      console.log(check.Check({ id: 1 }), check.Check({ id: 0 }), typeof Kysely, loaded < 40);`;
    assert.equal(await printed(folder, asked), 'true false function false');
    const { stderr } = await bundle(folder);
    assert.equal(stderr, '');
    assert.equal(await printed(folder, asked), 'true false function true');
  });

  test('of another version than installed are left alone', async () => {
    const folder = makeCheckout({ ...PACKAGES, esbuild: 'installed' });
    await bundle(folder);
    const kysely = join(folder, 'node_modules/kysely');
    writePackage(kysely, { version: '1.0.0', code: `export const from = 'a changed file';` });
    assert.equal(await printed(folder, WHERE_FROM), 'the package');
    writePackage(kysely, { version: '1.0.1', code: `export const from = 'the next version';` });
    assert.equal(await printed(folder, WHERE_FROM), 'the next version');
  });

  test('are left as they are while somebody may load them', async () => {
    const folder = makeCheckout({ ...PACKAGES, esbuild: 'installed' });
    await bundle(folder);
    const cache = join(folder, 'node_modules/.cache');
    const made = statSync(join(cache, 'libraries'));
    await bundle(folder);
    assert.equal(statSync(join(cache, 'libraries')).ino, made.ino);
    writePackage(join(folder, 'node_modules/kysely'), {
      version: '1.0.1',
      code: `export const from = 'the next version';`,
    });
    await bundle(folder);
    assert.equal(await printed(folder, WHERE_FROM), 'the next version');
    assert.deepEqual(readdirSync(cache), ['libraries'], 'nothing is left over');
  });

  test('are not for other packages, which may bring their own', async () => {
    const folder = makeCheckout({ ...PACKAGES, esbuild: 'installed' });
    await bundle(folder);
    const other = join(folder, 'node_modules/other');
    writePackage(other, { version: '1.0.0', code: `export { from } from 'kysely';` });
    const own = `export const from = 'what other brings';`;
    writePackage(join(other, 'node_modules/kysely'), { version: '3.0.0', code: own });
    assert.equal(
      await printed(folder, `console.log((await import('other')).from)`),
      'what other brings',
    );
  });

  test('without the bundler the installation goes on, and says so', async () => {
    const folder = makeCheckout(PACKAGES);
    const { stderr } = await bundle(folder);
    assert.match(stderr, /^The libraries were not bundled, so the service starts slower: /);
    assert.equal(await printed(folder, WHERE_FROM), 'the package');
  });
});
