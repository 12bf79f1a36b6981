import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A temporary folder that is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file in a temporary folder. */
export function tempFile(name: string, content: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, content);
  return file;
}
