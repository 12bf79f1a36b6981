import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * npm run generate              writes everything that is generated: references, OpenAPI documents, client, schema, planner
 *                               statistics, list of access
 * npm run generate -- --check   names what is out of date, and leaves it as it is
 */
const generators = [
  'write-access-list.ts',
  'generate-docs.ts',
  'generate-sdk.ts',
  'dump-schema.ts',
  'write-statistics.ts',
];
const written = [
  'deploy/tributary.env.example',
  'docs',
  'sdk/src/generated',
  'src/db/sqlite/planner-statistics.json',
  'test/access-list.txt',
];
const root = join(import.meta.dirname, '..');

function contents(): Map<string, string> {
  const files = written.flatMap((path) => {
    if (statSync(join(root, path)).isFile()) return [path];
    return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
      .map((name) => join(path, name))
      .filter((name) => statSync(join(root, name)).isFile());
  });
  return new Map(files.map((name) => [name, readFileSync(join(root, name), 'latin1')]));
}

const before = contents();
for (const name of generators) {
  execFileSync(process.execPath, [join(import.meta.dirname, name)], { stdio: 'inherit' });
}
const changed = [...contents()].filter(([name, text]) => before.get(name) !== text);
const isCheck = process.argv.includes('--check');
for (const [name] of changed) {
  console.log(isCheck ? `${name} is out of date: run "npm run generate"` : `wrote ${name}`);
  const text = before.get(name);
  if (isCheck && text !== undefined) writeFileSync(join(root, name), text, 'latin1');
}
process.exitCode = isCheck && changed.length > 0 ? 1 : 0;
