import type { Addon } from '../../src/kernel/declare/addon.ts';
import { gatewayConfig } from './config.ts';
import { payoutHooks } from './extension.ts';

export const payouts = {
  name: 'payouts',
  config: gatewayConfig,
  extensionHooks: payoutHooks,
  load: async () => (await import('./module.ts')).payoutsModule,
  openDemo: async () => (await import('./demo.ts')).openDemoPayouts(),
} satisfies Addon;
