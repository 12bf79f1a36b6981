import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addonFacts } from '../support/addon-facts.ts';
import { invokeChange } from '../support/changes.ts';
import { everyAddonOn } from '../support/every-addon-on.ts';
import type { TestApp } from '../support/harness.ts';
import { SUSPICION_VARIABLE, type Suspicion } from './test-files.ts';

// The answers of the v2 API must not depend on what an add-on finds suspicious. Some of their tests run once more in a service where
// every add-on is on, every order opens a case, every affiliate has an open one, and every payout belongs to it.

const wanted = process.env[SUSPICION_VARIABLE] as Suspicion | undefined;
const suspicionsAt = (nowMs: number) =>
  wanted === undefined
    ? []
    : addonFacts.flatMap(
        ({ suspicion }) => suspicion?.(wanted === 'Held' ? 'hold' : 'note', nowMs) ?? [],
      );

/** An extension that finds every order suspicious, with or without a customer. */
export function suspiciousExtension(folder: string): { extensions?: string } {
  const [suspicion] = suspicionsAt(0);
  if (suspicion === undefined) return {};
  const { name, ...hooks } = suspicion.extension;
  const parts = Object.entries(hooks).map(([hook, source]) => `${hook}: ${source}`);
  const extensions = join(folder, `${name}.mjs`);
  writeFileSync(extensions, `export default { name: '${name}', ${parts.join(', ')} };`);
  return { extensions };
}

export async function suspectEverything(app: TestApp): Promise<void> {
  // The free edition has no add-ons.
  if (!app.site.registry.modules.some(({ addon }) => addon)) return;
  for (const { changes, statements } of suspicionsAt(app.site.clock())) {
    await app.set(everyAddonOn);
    for (const change of changes) await invokeChange(app.site, change);
    await app.site.database.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
  }
}
