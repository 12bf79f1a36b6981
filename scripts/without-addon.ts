import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Shows that nothing but the edition knows an add-on: deletes it and its line in the edition from a
 * copy of src, then type-checks the rest.
 *
 *   node scripts/without-addon.ts payouts
 */
const root = join(import.meta.dirname, '..');
const name = process.argv[2] ?? '';
const edition = 'src/edition-pro.ts';
const folder = mkdtempSync(join(tmpdir(), 'without-addon-'));
try {
  // Tests may use any add-on; the program may not.
  const isProgram = (path: string) => !path.endsWith('.test.ts');
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: isProgram });
  for (const file of ['package.json', 'tsconfig.json'])
    cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  const before = readFileSync(join(folder, edition), 'utf8');
  const after = before
    .replaceAll(new RegExp(`^(import|export) .*/addons/${name}/.*\n`, 'gm'), '')
    .replace(new RegExp(`(?<=\\[|, )${name}(?:, |(?=\\]))`), '');
  if (after === before) throw new Error(`${edition} has no add-on "${name}".`);
  writeFileSync(join(folder, edition), after);
  rmSync(join(folder, 'src/addons', name), { recursive: true });

  const config = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
    include: ['src'],
  };
  writeFileSync(join(folder, 'tsconfig.without.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.without.json'], {
    cwd: folder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
