import { multilevelModule } from './addons/multilevel/module.ts';
import { payoutsModule } from './addons/payouts/module.ts';
import { webhooksModule } from './addons/webhooks/module.ts';
import { freeEdition } from './edition-free.ts';
import type { Module } from './kernel/declare/module.ts';

/** The free edition and the add-ons that only this one has. */
export const proEdition: readonly Module[] = [
  ...freeEdition,
  payoutsModule,
  multilevelModule,
  webhooksModule,
];
