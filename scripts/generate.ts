import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureTools } from './tools.js';

// npm run generate              writes everything that is generated, and nothing else
// npm run generate -- NAME…     only some of it
// npm run generate -- --check   names what is out of date, and leaves it as it is
// npm run generate -- pictures  takes the pictures of the documents again, with a browser
const generators: Record<string, readonly string[]> = {
  access: ['write-access-list.ts'],
  docs: ['generate-docs.ts'],
  sdk: ['generate-sdk.ts'],
  schema: ['dump-schema.ts', 'write-statistics.ts'],
};
/** Differ with each run, so only on request. */
const onRequest: Record<string, readonly string[]> = { pictures: ['take-pictures.ts'] };
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

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = named.filter((name) => !(name in generators || name in onRequest));
if (unknown.length > 0) {
  const names = Object.keys({ ...generators, ...onRequest }).join(', ');
  console.error(`Nothing of this name is generated: ${unknown.join(', ')}. There are: ${names}.`);
  process.exit(2);
}
ensureTools();
const before = contents();
for (const name of named.length > 0 ? named : Object.keys(generators))
  for (const script of generators[name] ?? onRequest[name]!)
    execFileSync(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' });
const changed = [...contents()].filter(([name, text]) => before.get(name) !== text);
const isCheck = process.argv.includes('--check');
for (const [name] of changed) {
  console.log(isCheck ? `${name} is out of date: run "npm run generate"` : `wrote ${name}`);
  const text = before.get(name);
  if (isCheck && text !== undefined) writeFileSync(join(root, name), text, 'latin1');
}
process.exitCode = isCheck && changed.length > 0 ? 1 : 0;
