import type { Module } from './kernel/module.ts';
import { eventsModule } from './modules/events/module.ts';
import { keysModule } from './modules/keys/module.ts';
import { metaModule } from './modules/meta/module.ts';
import { passwordsModule } from './modules/passwords/module.ts';
import { sessionsModule } from './modules/sessions/module.ts';
import { settingsModule } from './modules/settings/module.ts';
import { usersModule } from './modules/users/module.ts';

/** Migrations run in this order: a module comes after those whose tables it refers to. */
export const freeEdition: readonly Module[] = [
  usersModule,
  keysModule,
  passwordsModule,
  sessionsModule,
  eventsModule,
  settingsModule,
  metaModule,
];
