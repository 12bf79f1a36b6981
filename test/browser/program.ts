import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, programEnvironment, type Program } from '../debian-packages.ts';

/** How `scripts/test.ts` passes on to the test files what it found. */
export const BROWSER_VARIABLE = 'TEST_BROWSER';

export type FoundBrowser = { readonly program: Program } | { readonly missing: string };

/** Chromium of this machine, else Debian's unpacked into a folder of our own; or why there is none. */
export function findBrowser(): FoundBrowser {
  try {
    const program = findProgram({
      names: ['chromium', 'chromium-browser', 'google-chrome'],
      debianPackage: 'chromium',
      pathInPackage: 'lib/chromium/chromium',
    });
    return { program };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** What `scripts/test.ts` found, or what is found now, where a test file is run by itself. */
export function foundBrowser(): FoundBrowser {
  const passed = process.env[BROWSER_VARIABLE];
  return passed === undefined ? findBrowser() : (JSON.parse(passed) as FoundBrowser);
}

/** The environment in which an unpacked browser finds its libraries, and its fonts where it brought them. */
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
