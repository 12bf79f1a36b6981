import type { TBoolean } from 'typebox';
import type { Migration } from '../../db/migrator.ts';
import type { ModuleScreen } from '../../web-contract/extension-screens.ts';
import type { Caller, CredentialKind } from './caller.ts';
import type { ErrorDefinition } from './errors.ts';
import type { EventDefinition } from './event.ts';
import type { HttpResponse } from './http-response.ts';
import type { Job } from './job.ts';
import type { MetricSource } from './metric.ts';
import type { Operation, RequestFacts } from './operation.ts';
import type { Contribution } from './point.ts';
import type { SettingDefinition } from './setting.ts';
import type { Site } from './site.ts';

/** A call by a known caller that was refused with 403. */
export interface RefusedCall {
  readonly caller: Caller;
  readonly operation: Operation;
  /** The error code of the refusal. */
  readonly code: string;
}

/** A call with an `Idempotency-Key`, after its input and the caller's permission were checked. */
export interface KeyedCall {
  readonly key: string;
  readonly operation: Operation;
  readonly site: Site;
  readonly caller: Caller;
  readonly facts: RequestFacts;
  readonly input: Record<string, unknown>;
}

export type RunOnce = (call: KeyedCall) => Promise<HttpResponse>;

export interface ModuleSwitch {
  readonly setting: SettingDefinition<TBoolean>;
  readonly operations: readonly Operation[];
}

/**
 * The unit that the service is built from. Routes, OpenAPI documents, reference pages and settings are
 * all derived from the declarations of the active modules.
 */
export interface Module {
  readonly name: string;
  readonly summary: string;
  /** An add-on can be switched off; a core module cannot. */
  readonly addon: boolean;
  readonly operations?: readonly Operation[];
  readonly events?: readonly EventDefinition[];
  readonly settings?: readonly SettingDefinition[];
  /** Of an extension: what it adds to the console. Add-ons of ours have screens in their folders. */
  readonly screens?: readonly ModuleScreen[];
  /** Of an add-on: its parts of the portal and the console are shown while this setting is on. */
  readonly shownWhile?: SettingDefinition<TBoolean>;
  /** Boolean settings that switch off a group of operations while they are false. */
  readonly switches?: readonly ModuleSwitch[];
  readonly errors?: readonly ErrorDefinition[];
  readonly jobs?: readonly Job[];
  /** Metrics for Prometheus. The metrics of an add-on that is switched off are absent. */
  readonly metrics?: readonly MetricSource[];
  readonly migrations?: readonly Migration[];
  readonly credentials?: readonly CredentialKind[];
  /** Contributions to other modules, at the points that they offer. */
  readonly contributions?: readonly Contribution<any>[];
  /** Runs the operation of a request with an `Idempotency-Key`, or replays its response. */
  readonly runOnce?: RunOnce;
  /**
   * Corrects times that were stored while the system clock was wrong: waits that are longer than their
   * rule allows, and times of past events that lie in the future. Runs in the background after the clock
   * was set back, and once when background jobs start, because the clock may have been set before that.
   */
  correctInstants?(site: Site, nowMs: number): Promise<void>;
  /** Runs when a known caller was refused with 403. It is synchronous, so it must not do I/O. */
  onRefused?(site: Site, call: RefusedCall): void;
  /**
   * Makes everything that a crashed server has leased due immediately. Runs at the start of a server that is alone on its database;
   * with several instances such work is due when its lease ends.
   */
  releaseLeases?(site: Site): Promise<void>;
  /** Runs once when the site is opened, after the migrations. */
  open?(site: Site): Promise<void>;
  /** Releases open resources. Runs once when the service stops, while background jobs finish. */
  close?(site: Site): void;
}

export function defineModule(module: Module): Module {
  return module;
}
