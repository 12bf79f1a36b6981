import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateClient } from './sdk/generate-client.ts';

/**
 * Writes the generated part of the client in sdk/ from the OpenAPI documents of all routes. With --check
 * it only reports whether it is up to date.
 */
const folder = join(import.meta.dirname, '../sdk/src/generated');
const checking = process.argv.includes('--check');
mkdirSync(folder, { recursive: true });
const files = await generateClient();
const stale = Object.entries(files).filter(([name, text]) => {
  const file = join(folder, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
for (const [name, text] of stale) {
  if (checking) console.error(`sdk/src/generated/${name} is out of date: run "npm run generate"`);
  else writeFileSync(join(folder, name), text);
}
process.exitCode = checking && stale.length > 0 ? 1 : 0;
