import parts from 'addons:console';
import type { TeamGuide } from '../../src/web-contract/guides.ts';

/** What an add-on adds to screens of others: the `part` of `addons/<name>/console/part.ts`. */
export interface ConsolePart {
  /** The guides of its groups of settings. */
  readonly groupGuides?: Readonly<Record<string, TeamGuide>>;
}

const all: readonly ConsolePart[] = parts;

export const addonGroupGuides: Readonly<Record<string, TeamGuide>> = Object.fromEntries(
  all.flatMap(({ groupGuides = {} }) => Object.entries(groupGuides)),
);
