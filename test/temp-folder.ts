import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder of its own for a test, gone after it. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file of its own for a test. */
export function tempFile(name: string, content: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, content);
  return file;
}
