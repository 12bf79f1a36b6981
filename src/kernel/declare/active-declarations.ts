import type { EventDefinition } from './event.ts';
import type { Point } from './point.ts';
import type { SettingDefinition } from './setting.ts';

/** The declarations of the active modules that schemas may depend on. The registry implements it. */
export interface ActiveDeclarations {
  /** Rises with every change of settings: everything derived from the registry is stale then. */
  readonly revision: number;
  events(): EventDefinition[];
  settings(): ReadonlyMap<string, SettingDefinition>;
  /** The contributions of the active modules to a point, in the order of the modules. */
  contributions<T>(point: Point<T>): readonly T[];
}
