import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureTools } from './tools.js';

// npm run check            every check of the text of the program, without running it
// npm run check -- NAME…   some of them

/**
 * They look for different mistakes, and none needs the result of another: so they run side by side, one for each core, the
 * longest first. A compiler with two checkers finds out much of the same twice, so each has one.
 */
const checks: Record<string, string> = {
  lint: 'oxlint --type-aware --deny-warnings',
  types: 'tsc --checkers 1',
  'types-browser': 'tsc -p test/browser --checkers 1',
  'types-web': 'tsc -p web --checkers 1',
  unused: 'knip',
  'unused-production': 'knip --production',
  docs: 'node scripts/generate-docs.ts --check',
  links: 'node scripts/check-docs.ts',
  sdk: 'node scripts/generate-sdk.ts --check',
  'without-addons': 'node scripts/without-addons.ts',
  texts: 'node scripts/check-texts.ts',
  'types-sdk': 'tsc -p sdk --checkers 1',
  format: 'oxfmt --check .',
};
/** What npm adds to the path, too: the programs of packages, and a newer Node where the machine's is old. */
const PATH = join(import.meta.dirname, '../node_modules/.bin') + delimiter + process.env['PATH'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(
    `No such check: ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}.`,
  );
  process.exit(2);
}
ensureTools();
const failed: string[] = [];
const queue = (named.length > 0 ? named : Object.keys(checks)).values();
await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length > 0) {
  console.log(`Run again: npm run check -- ${failed.join(' ')}`);
  process.exitCode = 1;
}

async function work(): Promise<void> {
  for (const name of queue) {
    const startMs = performance.now();
    const child = spawn(checks[name]!, {
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${seconds.padStart(5)} s  ${name}`);
    if (code === 0) continue;
    failed.push(name);
    console.log(said);
  }
}
