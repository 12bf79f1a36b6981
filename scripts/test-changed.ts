import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readDurations } from './test-jobs.ts';

const root = join(import.meta.dirname, '..');
/** These assemble the service of all files, so that importing one of them says nothing about a file. */
const hubs = new Set([
  'src/app.ts',
  'src/cli/program.ts',
  'src/edition-free.ts',
  'src/edition-pro.ts',
]);
/** As many as run in seconds, the nearest first, without those that take longer than this alone. */
const FILES_MAX = 24;
const SECONDS_MAX = 10;

/**
 * The tests of what differs from a base, by default from the last commit of main if this is a branch of it, or else
 * from the commit before this one: those that import a changed file, directly or through others, and those beside it.
 */
export function changedTests(tests: readonly string[], base?: string): string[] {
  const changed = changedSince(base || defaultBase());
  const importers = readImporters();
  const reasons = new Map<string, string>();
  for (const file of changed) if (tests.includes(file)) reasons.set(file, 'is changed');
  for (const file of changed) {
    const folder = dirname(file);
    for (const test of tests)
      if (dirname(test) === folder && /^(?:src|addons)\//.test(folder) && !reasons.has(test))
        reasons.set(test, `is beside ${file}`);
  }
  let reached = new Map(changed.map((file) => [file, file]));
  const seen = new Set(changed);
  while (reached.size > 0) {
    const next = new Map<string, string>();
    for (const [file, path] of reached) {
      if (hubs.has(file)) continue;
      for (const importer of importers.get(file) ?? []) {
        if (seen.has(importer)) continue;
        seen.add(importer);
        next.set(importer, `${path} < ${importer}`);
        if (tests.includes(importer) && !reasons.has(importer)) reasons.set(importer, path);
      }
    }
    reached = next;
  }
  const slow = readDurations()['SQLite'] ?? {};
  const isQuick = ([test, why]: [string, string]) =>
    why === 'is changed' || (slow[test] ?? 0) <= SECONDS_MAX;
  const chosen = [...reasons].filter(isQuick).slice(0, FILES_MAX);
  console.log(`${changed.length} files are changed; the tests of them:`);
  for (const [test, why] of chosen) console.log(`  ${test}: ${why}`);
  const left = reasons.size - chosen.length;
  if (left > 0)
    console.log(`  and ${left} that are slow or farther away, which only npm test runs`);
  return chosen.map(([test]) => test);
}

function git(...args: string[]): string[] {
  const said = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  return said.split('\n').filter((line) => line !== '');
}

function defaultBase(): string {
  try {
    const [fork] = git('merge-base', 'main', 'HEAD');
    const [head] = git('rev-parse', 'HEAD');
    if (fork !== head) return fork!;
  } catch {
    // There is no branch of this name.
  }
  return 'HEAD^';
}

function changedSince(base: string): string[] {
  return [
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/** The files that import a file. */
function readImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync('{src,addons,test,web,scripts,bench,examples}/**/*.{ts,tsx}', {
    cwd: root,
  })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, path] of text.matchAll(/\b(?:from|import)\b[ (]'(\.[^']+)'/g)) {
      const target = relative(root, join(root, dirname(file), path!));
      if (!existsSync(join(root, target))) continue;
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [file]);
      else known.push(file);
    }
  }
  return importers;
}
