import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, Store } from './engine.ts';
import type { Collected } from './result.ts';

/** What add-ons measure of themselves: the `part` of `addons/<name>/test/bench.ts`. */
export interface BenchPart {
  readonly name: string;
  readonly measure: (given: Given) => Promise<void>;
}

interface Given {
  readonly engines: readonly Engine[];
  /** The store with the fewest rows on each of them. */
  readonly smallest: ReadonlyMap<Engine, Store>;
  readonly collected: Collected;
}

const root = join(import.meta.dirname, '..');

export const addonParts: readonly BenchPart[] = await Promise.all(
  globSync('addons/*/test/bench.ts', { cwd: root })
    .sort()
    .map(async (file) => ((await import(join(root, file))) as { part: BenchPart }).part),
);
