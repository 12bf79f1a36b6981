/**
 * The entry for extensions: `tributary-affiliates/extension`. What is exported here stays compatible
 * within a major version; all other files may change with any release.
 */
export { default as Type } from 'typebox';
export type { Generated, Selectable } from 'kysely';
export type { Database, Reader, Transaction } from './db/database.ts';
export type { Migration } from './db/migrator.ts';
export { query } from './db/statements/query.ts';
// Re-exported as a whole, because only then can an add-on merge its tables into `Tables`.
export type * from './db/tables.ts';
export type * from './edition-pro.ts';
export { invoke } from './kernel/call/invoke.ts';
export { CommandError, defineCommand } from './kernel/declare/command.ts';
export type { CommandContext, CommandDefinition, CommandGroup } from './kernel/declare/command.ts';
export { ApiError, defineError, generalErrors } from './kernel/declare/errors.ts';
export { defineEvent } from './kernel/declare/event.ts';
export type { Extension } from './kernel/declare/extension.ts';
export type { FeedEvent } from './kernel/declare/feed-event.ts';
export type { Job } from './kernel/declare/job.ts';
export { counter, defineCounter, defineMetrics, gauge } from './kernel/declare/metric.ts';
export { defineModule, type Module } from './kernel/declare/module.ts';
export { operation } from './kernel/declare/operation.ts';
export { firstSteps, needs, type FirstStep, type Need } from './kernel/declare/overview.ts';
export { contribute } from './kernel/declare/point.ts';
export { Id, LocalTime, Nullable, StringEnum } from './kernel/declare/schemas.ts';
export {
  defineManagerSetting,
  defineMoneySetting,
  defineSecretSetting,
  defineSetting,
  inGroup,
  type SettingGroup,
} from './kernel/declare/setting.ts';
export type { Site } from './kernel/declare/site.ts';
export { emit } from './modules/events/index.ts';
export {
  personalData,
  personErasures,
  type PersonalData,
  type PersonErasure,
} from './modules/privacy/index.ts';
export { riskChecks, type RiskCheck } from './modules/registrations/index.ts';
export { textTable } from './shared/text-table.ts';
export type { ModuleScreen } from './web-contract/extension-screens.ts';
export type { ConsoleKit, LoadedData } from './web-contract/console-kit.ts';
