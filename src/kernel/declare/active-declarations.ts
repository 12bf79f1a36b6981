import type { EventDefinition } from './event.ts';
import type { Point } from './point.ts';
import type { SettingDefinition } from './setting.ts';

/** What the active modules declare, as far as a schema may depend on it. The registry implements it. */
export interface ActiveDeclarations {
  /** Increases whenever something is switched on or off: everything derived from here is then stale. */
  readonly revision: number;
  events(): EventDefinition[];
  settings(): ReadonlyMap<string, SettingDefinition>;
  /** The contributions of the active modules to a point, in the order of the modules. */
  contributions<T>(point: Point<T>): readonly T[];
}
