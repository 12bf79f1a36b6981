// Installs the packages of a lock file beside those of the project: in a folder of node_modules, once.
// Plain JavaScript, because "npm ci" runs it and may do so on an old Node.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs what package.json and package-lock.json in `from` name. npm compares every package with its hash. */
export function installFrom(from, into) {
  if (isSame(join(from, 'package-lock.json'), join(into, 'package-lock.json'))) return;
  const made = `${into}-${process.pid}`;
  mkdirSync(made, { recursive: true });
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      copyFileSync(join(from, name), join(made, name));
    }
    npm(['ci', '--include=optional', '--prefer-offline', '--no-audit', '--no-fund'], made);
    rmSync(into, { recursive: true, force: true });
    renameSync(made, into);
  } catch (error) {
    // Another process may have been quicker.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function npm(args, cwd) {
  const { npm_execpath: own, NODE_OPTIONS: _, ...env } = process.env;
  // What npm was called with for the project, such as --omit=dev, is not meant for these.
  for (const name of Object.keys(env))
    if (/^npm_config_(omit|include|workspace)/.test(name)) delete env[name];
  const options = { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] };
  if (own && /\.c?js$/.test(own)) execFileSync(process.execPath, [own, ...args], options);
  else execFileSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

function isSame(a, b) {
  try {
    return readFileSync(a, 'utf8') === readFileSync(b, 'utf8');
  } catch {
    return false;
  }
}
