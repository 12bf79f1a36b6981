import type { Migration } from '../db/migrator.ts';
import type { Module } from '../kernel/declare/module.ts';
import { leaseMigrations } from '../worker/claim.ts';
import { installationMigrations } from './same-secret.ts';

/** Every migration of an installation with these modules, in the order in which they run. */
export function allMigrations(modules: readonly Module[]): Migration[] {
  return [
    ...leaseMigrations,
    ...installationMigrations,
    ...modules.flatMap((module) => module.migrations ?? []),
  ];
}
