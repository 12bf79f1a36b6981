import { globSync } from 'node:fs';

/** The test files that need a browser: those of this folder, of add-ons and of examples. They run once, on SQLite. */
export function browserTestFiles(): string[] {
  return globSync('{,addons/*/,examples/*/}test/browser/*.test.ts').sort();
}

export function isBrowserTest(file: string): boolean {
  return /^(?:(?:addons|examples)\/[^/]+\/)?test\/browser\//.test(file);
}
