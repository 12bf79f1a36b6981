import type { ActiveDeclarations } from './active-declarations.ts';
import type { ErrorDefinition } from './errors.ts';
import { generalErrors } from './errors.ts';
import type { EventDefinition } from './event.ts';
import type { Module } from './module.ts';
import type { Namespace, Operation } from './operation.ts';
import type { Contribution, Point } from './point.ts';
import type { SettingDefinition, SettingValues } from './setting.ts';
import { disabledAddons, disabledEndpoints } from './switches.ts';

declare module './site.ts' {
  interface Site {
    readonly registry: Registry;
  }
}

/** The active declarations: those of the edition's modules without what settings switch off. */
interface Active {
  readonly modules: readonly Module[];
  readonly operations: ReadonlySet<Operation>;
  readonly settings: ReadonlyMap<string, SettingDefinition>;
  readonly contributions: ReadonlyMap<Point<unknown>, readonly unknown[]>;
}

/**
 * The list of modules and everything that is derived from it. An inactive declaration is absent from
 * these lists, so no other code checks whether something is active.
 */
export class Registry implements ActiveDeclarations {
  /** All modules of the edition, switched off or not. */
  readonly modules: readonly Module[];
  readonly #settings: SettingValues;
  readonly #all: ReadonlyMap<Point<unknown>, readonly unknown[]>;
  #active: Active;
  /** Rises with every change of settings: everything derived from the registry is stale then. */
  revision = 0;

  constructor(modules: readonly Module[], settings: SettingValues) {
    refuseDuplicates(modules);
    this.modules = modules;
    this.#settings = settings;
    this.#all = byPoint(modules.flatMap((module) => module.contributions ?? []));
    this.#active = this.#compute();
    settings.onChange(() => {
      this.#active = this.#compute();
      this.revision += 1;
    });
  }

  isActive(operation: Operation): boolean {
    return this.#active.operations.has(operation);
  }

  /** Whether the module with this name is there and not switched off. */
  isOn(name: string): boolean {
    return this.#active.modules.some((module) => module.name === name);
  }

  activeModules(): readonly Module[] {
    return this.#active.modules;
  }

  activeOperations(namespace?: Namespace): Operation[] {
    const all = [...this.#active.operations];
    return namespace === undefined ? all : all.filter((op) => op.namespace === namespace);
  }

  /** Every operation of the edition, switched off or not. */
  allOperations(): Operation[] {
    return this.modules.flatMap((module) => module.operations ?? []);
  }

  moduleOf(operation: Operation): Module {
    return this.modules.find((module) => module.operations?.includes(operation))!;
  }

  events(): EventDefinition[] {
    return this.#active.modules.flatMap((module) => module.events ?? []);
  }

  settings(): ReadonlyMap<string, SettingDefinition> {
    return this.#active.settings;
  }

  /** The contributions of the active modules to a point, in the order of the modules. */
  contributions<T>(point: Point<T>): readonly T[] {
    // `Contribution<T>` pairs a point with its type, and the map stores each value under its point.
    return (this.#active.contributions.get(point) ?? []) as readonly T[];
  }

  /**
   * Includes modules that are switched off, because their rows are still in the database: what keeps money in step with
   * orders and payouts goes on, and begins nothing new.
   */
  allContributions<T>(point: Point<T>): readonly T[] {
    // As in `contributions`.
    return (this.#all.get(point) ?? []) as readonly T[];
  }

  /** All errors for the reference: the general ones, then those of each module. */
  errors(): ErrorDefinition[] {
    const own = this.#active.modules.flatMap((module) => module.errors ?? []);
    return [...Object.values(generalErrors), ...own];
  }

  #compute(): Active {
    const addonsOff = new Set(this.#settings.get(disabledAddons));
    const endpointsOff = new Set(this.#settings.get(disabledEndpoints));
    const modules = this.modules.filter((module) => !(module.addon && addonsOff.has(module.name)));
    const switchedOff = new Set(
      modules
        .flatMap((module) => module.switches ?? [])
        .filter(({ setting }) => !this.#settings.get(setting))
        .flatMap((off) => off.operations),
    );
    const operations = modules
      .flatMap((module) => module.operations ?? [])
      .filter((op) => !endpointsOff.has(op.switchName) && !switchedOff.has(op));
    const settings = modules.flatMap((module) => module.settings ?? []);
    return {
      modules,
      operations: new Set(operations),
      settings: new Map(settings.map((setting) => [setting.key, setting])),
      contributions: byPoint(modules.flatMap((module) => module.contributions ?? [])),
    };
  }
}

function byPoint(contributions: readonly Contribution[]): Map<Point<unknown>, unknown[]> {
  const values = new Map<Point<unknown>, unknown[]>();
  for (const { point, value } of contributions) {
    values.set(point, [...(values.get(point) ?? []), value]);
  }
  return values;
}

function refuseDuplicates(modules: readonly Module[]): void {
  const seen = new Set<string>();
  const names = modules.flatMap((module) => [
    `module ${module.name}`,
    ...(module.operations ?? []).map((op) => `operation ${op.namespace} ${op.id}`),
    ...(module.events ?? []).map((event) => `event ${event.name}`),
    ...(module.settings ?? []).map((setting) => `setting ${setting.key}`),
    ...(module.errors ?? []).map((error) => `error ${error.code}`),
    ...(module.migrations ?? []).map((migration) => `migration ${migration.name}`),
    ...(module.screens ?? []).map((screen) => `screen ${screen.name}`),
    ...(module.metrics ?? []).flatMap((source) =>
      source.metrics.map((metric) => `metric ${metric.name}`),
    ),
  ]);
  for (const name of names) {
    if (seen.has(name)) throw new Error(`Declared twice: ${name}`);
    seen.add(name);
  }
}
