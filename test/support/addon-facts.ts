import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Case } from '../growth/request.ts';

/** What the sweeping tests ask of an add-on: the `facts` of `addons/<name>/test/facts.ts`. Everything is optional. */
export interface AddonFacts {
  /** The setting by which it is shown, where it is off by default. */
  readonly switchedOnBy?: string;
  /** As in personal-columns.ts. */
  readonly personalColumns?: Readonly<Record<string, string | Record<string, string>>>;
  /** Stores something about an affiliate in each of these columns, by calls of the store API. */
  readonly fillPerson?: (
    send: (method: string, path: string, json: object) => Promise<unknown>,
    userId: number,
  ) => Promise<void>;
  /** As in without-proof.ts. */
  readonly withoutProof?: Readonly<Record<string, string>>;
  readonly settingsWithoutProof?: Readonly<Record<string, string>>;
  /** Paths by which an affiliate reads about others, and why that is right. */
  readonly readsOthers?: Readonly<Record<string, string>>;
  /** Addresses in the console and the guide that their heads lead to. */
  readonly consoleGuides?: Readonly<Record<string, string>>;
  /** As in growth/cases.ts. */
  readonly growthCases?: Readonly<Record<string, Case>>;
  /** Files of tests that would only repeat on a server what they do on SQLite, as in postgres/repeats.ts. */
  readonly repeatsOnPostgres?: readonly string[];
  /** Fails unless the demo has sample data of the add-on; `read` calls the store API as an affiliate of the demo. */
  readonly assertInDemo?: (read: (path: string) => Promise<string>) => Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const files = globSync('addons/*/test/facts.ts', { cwd: root }).sort();

// Not awaited: in a bundle, a module that waits for an import can wait for itself.
const load = createRequire(import.meta.url);

export const addonFacts: readonly AddonFacts[] = files.map(
  (file) => (load(join(root, file)) as { facts: AddonFacts }).facts,
);

/** A list of the core, and what the add-ons add to it. */
export function withAddons<T>(
  own: Readonly<Record<string, T>>,
  of: (facts: AddonFacts) => Readonly<Record<string, T>> | undefined,
): Readonly<Record<string, T>> {
  return Object.assign({}, own, ...addonFacts.map(of)) as Record<string, T>;
}
