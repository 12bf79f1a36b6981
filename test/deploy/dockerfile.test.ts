import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../process/launch.ts';

const project = join(import.meta.dirname, '../..');

test('the Dockerfile copies everything that the build reads', () => {
  const [, build = ''] = readFileSync(join(project, 'Dockerfile'), 'utf8').split(/^FROM /m);
  const folder = tempFolder();
  for (const [, names = ''] of build.matchAll(/^COPY (.+)$/gm)) {
    const sources = names.split(' ');
    const to = sources.pop()!;
    for (const name of sources.flatMap((one) => globSync(one, { cwd: project }))) {
      const target = to.endsWith('/') ? join(folder, to, basename(name)) : join(folder, to);
      cpSync(join(project, name), target, { recursive: true });
    }
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  assert.match(build, /^RUN npm run build &&/m);
  // Without types, which take a minute.
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: folder, stdio: 'pipe' });
  for (const file of ['main.js', 'web/manifest.json', 'sbom.cdx.json']) {
    assert.ok(existsSync(join(folder, 'dist', file)), file);
  }
});
