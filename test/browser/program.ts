import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, programEnvironment, type Program } from '../support/debian-packages.ts';

/** Environment variables through which `scripts/test.ts` passes its result to the test files. */
export const BROWSER_VARIABLE = 'TEST_BROWSER';

/**
 * No request leaves this machine: names are not resolved, proxies are not used, and the browser does
 * nothing by itself. The sandbox needs rights that a container's root does not have.
 */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  // Tabs of a context share a process, and what it has compiled.
  '--process-per-site',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

export type FoundBrowser = { readonly program: Program } | { readonly missing: string };

/**
 * Finds Chromium on this machine or in the folder of unpacked Debian packages, or says why not. The package without
 * windows needs a third less processor time: it starts no processes for tabs and menus.
 */
export function findBrowser(): FoundBrowser {
  try {
    const program = findProgram({
      names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
      debianPackage: 'chromium-headless-shell',
      pathInPackage: 'lib/chromium/chromium-headless-shell',
    });
    return { program };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** The browser that `scripts/test.ts` found, or a new search if a test file runs by itself. */
export function foundBrowser(): FoundBrowser {
  const passed = process.env[BROWSER_VARIABLE];
  return passed === undefined ? findBrowser() : (JSON.parse(passed) as FoundBrowser);
}

/** The environment for an unpacked browser to find its libraries and fonts. */
export function browserEnvironment(program: Program): Record<string, string> {
  const unpacked = program.path.slice(0, program.path.indexOf('/usr/'));
  const fonts = join(unpacked, 'etc/fonts');
  const variables = {
    ...programEnvironment(program),
    ...(program.libraries.length > 0 &&
      existsSync(fonts) && {
        FONTCONFIG_PATH: fonts,
        XDG_DATA_HOME: join(unpacked, 'usr/share'),
      }),
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
