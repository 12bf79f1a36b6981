import type { Module } from './kernel/declare/module.ts';
import { accountsModule } from './modules/accounts/module.ts';
import { groupsModule } from './modules/groups/module.ts';
import { affiliatesModule } from './modules/affiliates/module.ts';
import { consoleModule } from './modules/console/module.ts';
import { couponsModule } from './modules/coupons/module.ts';
import { ledgerModule } from './modules/ledger/module.ts';
import { ordersModule } from './modules/orders/module.ts';
import { clicksModule } from './modules/clicks/module.ts';
import { eventsModule } from './modules/events/module.ts';
import { earningsModule } from './modules/earnings/module.ts';
import { exportsModule } from './modules/exports/module.ts';
import { importsModule } from './modules/imports/module.ts';
import { idempotencyModule } from './modules/idempotency/module.ts';
import { keysModule } from './modules/keys/module.ts';
import { brandModule } from './modules/brand/module.ts';
import { mailModule } from './modules/mail/module.ts';
import { metaModule } from './modules/meta/module.ts';
import { overviewModule } from './modules/overview/module.ts';
import { passwordsModule } from './modules/passwords/module.ts';
import { profileModule } from './modules/profile/module.ts';
import { registrationsModule } from './modules/registrations/module.ts';
import { reportsModule } from './modules/reports/module.ts';
import { searchModule } from './modules/search/module.ts';
import { rosterModule } from './modules/roster/module.ts';
import { securityModule } from './modules/security/module.ts';
import { sessionsModule } from './modules/sessions/module.ts';
import { settingsModule } from './modules/settings/module.ts';
import { statsModule } from './modules/stats/module.ts';
import { programModule } from './modules/program/module.ts';
import { portalModule } from './modules/portal/module.ts';
import { webModule } from './modules/web/module.ts';
import { teamModule } from './modules/team/module.ts';
import { twoFactorModule } from './modules/two-factor/module.ts';
import { personModule } from './modules/person/module.ts';
import { usersModule } from './modules/users/module.ts';

/** Migrations run in this order: a module comes after the modules whose tables it references. */
export const freeEdition: readonly Module[] = [
  usersModule,
  keysModule,
  passwordsModule,
  sessionsModule,
  eventsModule,
  securityModule,
  groupsModule,
  affiliatesModule,
  couponsModule,
  ledgerModule,
  ordersModule,
  clicksModule,
  rosterModule,
  mailModule,
  twoFactorModule,
  accountsModule,
  teamModule,
  registrationsModule,
  profileModule,
  personModule,
  statsModule,
  earningsModule,
  importsModule,
  reportsModule,
  exportsModule,
  idempotencyModule,
  settingsModule,
  metaModule,
  webModule,
  brandModule,
  programModule,
  portalModule,
  overviewModule,
  searchModule,
  consoleModule,
];
