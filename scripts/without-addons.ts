import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Shows that nothing but the edition knows an add-on: type-checks a copy of src without the add-ons and without the
 * edition that lists them.
 */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'without-addons-'));
try {
  // Tests may use any add-on; the program may not.
  const isProgram = (path: string) => !path.endsWith('.test.ts');
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: isProgram });
  cpSync(join(root, 'texts'), join(folder, 'texts'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json'])
    cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  rmSync(join(folder, 'src/addons'), { recursive: true });
  writeFileSync(
    join(folder, 'src/edition-pro.ts'),
    [
      "import type { Addon } from './kernel/declare/addon.ts';",
      "import type { Module } from './kernel/declare/module.ts';",
      "import type { Edition } from './kernel/declare/site.ts';",
      'export declare const addons: readonly Addon[];',
      'export declare function loadEdition(edition: Edition): Promise<readonly Module[]>;',
    ].join('\n'),
  );
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
    include: ['src'],
  };
  writeFileSync(join(folder, 'tsconfig.without.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.without.json', '--checkers', '1'], {
    cwd: folder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
