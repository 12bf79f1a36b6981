import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** `scripts/test.ts` passes the folder for the logs of services in this variable, to analyse failures. */
export const LOGS_VARIABLE = 'TEST_LOGS';
const LINES_MAX = 2_000;

let services = 0;

/** Writes the last lines of a service's log to a file; the runner removes the files if all tests pass. */
export function storeLogs(lines: readonly string[]): void {
  const folder = process.env[LOGS_VARIABLE];
  if (folder === undefined) return;
  services += 1;
  const name = `${basename(process.argv[1] ?? 'test')}-${process.pid}-${services}.log`;
  writeFileSync(join(folder, name), lines.slice(-LINES_MAX).join(''));
}
