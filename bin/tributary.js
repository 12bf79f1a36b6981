#!/usr/bin/env node
// Plain JavaScript that an old Node understands: it finds a Node that is new enough and hands over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // The second start reads compiled code instead of compiling it, which takes a third off its time.
  // In a folder that cannot be written, Node goes on without.
  module.enableCompileCache?.(
    fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)),
  );
  const { entryPoint } = await import('./entry-point.js');
  let file;
  try {
    file = entryPoint();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  await import(pathToFileURL(file).href);
} else {
  // "npm ci" fetches a Node into a checkout (scripts/prepare.js). An installed package has none.
  const brought = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (!existsSync(brought)) {
    const isCheckout = existsSync(fileURLToPath(new URL('../src', import.meta.url)));
    console.error(
      `Tributary needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}. ` +
        (isCheckout
          ? 'Run "npm ci", which fetches the right one, or update Node.'
          : 'Update Node.'),
    );
    process.exit(1);
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(brought, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl+C reaches the child directly. It is passed on only if it was sent to this process alone.
  process.on('SIGINT', () => setTimeout(() => child.kill('SIGINT'), 500).unref());
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
