import { globSync } from 'node:fs';

/** The test files that need a browser. They are in this folder and run once, on SQLite. */
export function browserTestFiles(): string[] {
  return globSync('test/browser/*.test.ts').sort();
}

export function isBrowserTest(file: string): boolean {
  return file.startsWith('test/browser/');
}
