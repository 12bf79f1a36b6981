import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The variable in which `scripts/test.ts` passes the folder for logs of services, to analyse failures. */
export const LOGS_VARIABLE = 'TEST_LOGS';
const LINES_MAX = 2_000;

let services = 0;

/** Leaves the last lines of a service under test; the runner removes them when everything passed. */
export function keepLogs(lines: readonly string[]): void {
  const folder = process.env[LOGS_VARIABLE];
  if (folder === undefined) return;
  services += 1;
  const name = `${basename(process.argv[1] ?? 'test')}-${process.pid}-${services}.log`;
  writeFileSync(join(folder, name), lines.slice(-LINES_MAX).join(''));
}
