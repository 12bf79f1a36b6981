import { globSync } from 'node:fs';

/** The test files that need a browser: those of this folder and of add-ons. They run once, on SQLite. */
export function browserTestFiles(): string[] {
  return globSync('{,addons/*/}test/browser/*.test.ts').sort();
}

export function isBrowserTest(file: string): boolean {
  return /^(?:addons\/[^/]+\/)?test\/browser\//.test(file);
}
