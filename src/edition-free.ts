import type { Module } from './kernel/declare/module.ts';
import { accountsModule } from './modules/accounts/module.ts';
import { affiliatesModule } from './modules/affiliates/module.ts';
import { bonusesModule } from './modules/bonuses/module.ts';
import { brandModule } from './modules/brand/module.ts';
import { clicksModule } from './modules/clicks/module.ts';
import { couponsModule } from './modules/coupons/module.ts';
import { earningsModule } from './modules/earnings/module.ts';
import { eventsModule } from './modules/events/module.ts';
import { exportsModule } from './modules/exports/module.ts';
import { filesModule } from './modules/files/module.ts';
import { groupsModule } from './modules/groups/module.ts';
import { healthModule } from './modules/health/module.ts';
import { helpModule } from './modules/help/module.ts';
import { idempotencyModule } from './modules/idempotency/module.ts';
import { importsModule } from './modules/imports/module.ts';
import { keysModule } from './modules/keys/module.ts';
import { ledgerModule } from './modules/ledger/module.ts';
import { mailModule } from './modules/mail/module.ts';
import { ordersModule } from './modules/orders/module.ts';
import { overviewModule } from './modules/overview/module.ts';
import { pagesModule } from './modules/pages/module.ts';
import { passwordsModule } from './modules/passwords/module.ts';
import { personModule } from './modules/privacy/module.ts';
import { profileModule } from './modules/profile/module.ts';
import { referenceModule } from './modules/reference/module.ts';
import { registrationsModule } from './modules/registrations/module.ts';
import { reportsModule } from './modules/reports/module.ts';
import { rewardMailsModule } from './modules/reward-mails/module.ts';
import { rewardTrialsModule } from './modules/reward-trials/module.ts';
import { rewardsModule } from './modules/rewards/module.ts';
import { searchModule } from './modules/search/module.ts';
import { securityModule } from './modules/security/module.ts';
import { sessionsModule } from './modules/sessions/module.ts';
import { settingsModule } from './modules/settings/module.ts';
import { setupModule } from './modules/setup/module.ts';
import { statsModule } from './modules/stats/module.ts';
import { storeProfileModule } from './modules/store-profile/module.ts';
import { teamModule } from './modules/team/module.ts';
import { twoFactorModule } from './modules/two-factor/module.ts';
import { unsubscribeModule } from './modules/unsubscribe/module.ts';
import { usersModule } from './modules/users/module.ts';
import { webModule } from './modules/web/module.ts';

/** Migrations run in this order: a module comes after the modules whose tables it references. */
export const freeEdition: readonly Module[] = [
  usersModule,
  keysModule,
  passwordsModule,
  sessionsModule,
  setupModule,
  eventsModule,
  securityModule,
  groupsModule,
  affiliatesModule,
  couponsModule,
  rewardsModule,
  ledgerModule,
  ordersModule,
  bonusesModule,
  rewardTrialsModule,
  rewardMailsModule,
  clicksModule,
  mailModule,
  twoFactorModule,
  accountsModule,
  teamModule,
  registrationsModule,
  profileModule,
  unsubscribeModule,
  personModule,
  statsModule,
  earningsModule,
  importsModule,
  reportsModule,
  exportsModule,
  idempotencyModule,
  settingsModule,
  storeProfileModule,
  referenceModule,
  healthModule,
  webModule,
  filesModule,
  brandModule,
  pagesModule,
  helpModule,
  overviewModule,
  searchModule,
];
