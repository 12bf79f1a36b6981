import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { ensureTools } from './tools.js';
import manifest from '../package.json' with { type: 'json' };

/**
 * The scripts `static:…` of package.json look for different mistakes, and none needs the result of another: so they
 * run side by side, one for each core, the longest first. A compiler with two checkers finds out much of the same
 * twice, so each has one.
 */
const checks = Object.entries(manifest.scripts).filter(([name]) => name.startsWith('static:'));

ensureTools();
const failed: string[] = [];
const queue = checks.values();
await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length > 0) {
  console.log(`Run again: ${failed.map((name) => `npm run ${name}`).join(', ')}`);
  process.exitCode = 1;
}

async function work(): Promise<void> {
  for (const [name, command] of queue) {
    const startMs = performance.now();
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
