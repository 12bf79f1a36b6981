import type { Static, TSchema } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { Point } from './point.ts';
import type { SettingDefinition } from './setting.ts';
import type { Site } from './site.ts';

/** A change of a setting that is not stored yet. */
export interface PlannedChange<T = unknown> {
  readonly before: T;
  readonly after: T;
  readonly db: Reader;
  readonly site: Site;
  readonly nowMs: number;
}

/** One consequence of a change, as a sentence for people. */
export interface Effect {
  readonly text: string;
  /** How many records the sentence counts. */
  readonly count?: number;
}

export interface EffectSource {
  readonly setting: string;
  /** Reads only; a count uses an index. */
  describe(change: PlannedChange): Effect[] | Promise<Effect[]>;
}

/** What a change of a setting leads to. Several modules may contribute to one setting. */
export const settingEffects = new Point<EffectSource>('setting effects');

/** Declares the effect of a setting. `describe` runs only if the value differs from the current one. */
export function defineEffect<S extends TSchema>(
  { key }: SettingDefinition<S>,
  describe: (change: PlannedChange<Static<S>>) => Effect | undefined | Promise<Effect | undefined>,
): EffectSource {
  return {
    setting: key,
    async describe(change) {
      // The values were checked against the schema of the setting, or are its stored ones.
      const effect = await describe(change as PlannedChange<Static<S>>);
      return effect ? [effect] : [];
    },
  };
}
