import type { TBoolean } from 'typebox';
import type { Database } from '../../db/database.ts';
import type { Migration } from '../../db/migrator.ts';
import type { TableDefinition } from '../../db/tables.ts';
import type { Caller, CredentialKind } from './caller.ts';
import type { ErrorDefinition } from './errors.ts';
import type { EventDefinition } from './event.ts';
import type { Job } from './job.ts';
import type { MetricSource } from './metric.ts';
import type { HttpResponse } from './http-response.ts';
import type { Operation, RequestFacts } from './operation.ts';
import type { Contribution } from './point.ts';
import type { SettingDefinition } from './setting.ts';
import type { Site } from './site.ts';

/** A call that was answered with 403 although its caller is known. */
export interface RefusedCall {
  readonly caller: Caller;
  readonly operation: Operation;
  /** The code of the error. */
  readonly code: string;
}

/** A call that carries an `Idempotency-Key`. Its input is checked, and its caller has the permission. */
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
 * The brick everything is built of. What the service offers is what its active modules declare:
 * routes, documents, references and settings are all read off this list.
 */
export interface Module {
  readonly name: string;
  readonly summary: string;
  /** An add-on can be switched off; a core module cannot. */
  readonly addon: boolean;
  readonly operations?: readonly Operation[];
  readonly events?: readonly EventDefinition[];
  readonly settings?: readonly SettingDefinition[];
  /** Settings that switch some of its operations off as a whole while they are false. */
  readonly switches?: readonly ModuleSwitch[];
  readonly errors?: readonly ErrorDefinition[];
  readonly jobs?: readonly Job[];
  /** Figures for Prometheus. Those of an add-on that is off are absent. */
  readonly metrics?: readonly MetricSource[];
  /** The tables that its migrations create. `migrate-db` copies them. */
  readonly tables?: readonly TableDefinition[];
  readonly migrations?: readonly Migration[];
  readonly credentials?: readonly CredentialKind[];
  /** What it adds to other modules, at the points they offer. */
  readonly contributions?: readonly Contribution<any>[];
  /** Runs the operation of a request with an `Idempotency-Key`, or replays its response. */
  readonly runOnce?: RunOnce;
  /**
   * Binds what an earlier version encrypted to the rows it is found in. Runs once for an installation,
   * after the migrations.
   */
  bindSecrets?(database: Database, site: Pick<Site, 'keyring'>): Promise<void>;
  /**
   * Corrects what it has stored when the system clock was wrong: a wait that has become longer than its
   * rule, and a past moment that lies in the future. Runs in the background after the clock was set
   * back, and once when background jobs begin, since it may have been set while they did not run.
   */
  correctInstants?(site: Site, nowMs: number): Promise<void>;
  /** Runs when a known caller was refused what it may not do. It must not wait for anything. */
  onRefused?(site: Site, call: RefusedCall): void;
  /** Runs once when the site is opened, after the migrations. */
  open?(site: Site): Promise<void>;
  /** Runs once when the service stops, while background jobs finish: lets go of what it holds open. */
  close?(site: Site): void;
}

export function defineModule(module: Module): Module {
  return module;
}
