#!/usr/bin/env node
// Plain JavaScript that an old Node understands: it finds a Node that is new enough and hands over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // From the second start on the stripped and compiled sources are read back: half the time to start,
  // and the TypeScript stripper is not loaded at all. Where the folder cannot be written, nothing is lost.
  module.enableCompileCache?.(
    fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)),
  );
  const { useBundledLibraries } = await import('./libraries.js');
  useBundledLibraries();
  await import('../src/main.ts');
} else {
  const brought = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(brought)) {
    console.error(
      `Tributary needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}. ` +
        'Run "npm ci" in the checkout, which brings the right one, or update Node.',
    );
    process.exit(1);
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(brought, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl+C reaches the child by itself; only when it was meant for this process alone is it passed on.
  process.on('SIGINT', () => setTimeout(() => child.kill('SIGINT'), 500).unref());
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
