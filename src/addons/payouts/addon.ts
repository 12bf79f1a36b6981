import type { Addon } from '../../kernel/declare/addon.ts';
import { gatewayConfig } from './config.ts';
import { payoutHooks } from './extension.ts';

export const payouts = {
  name: 'payouts',
  config: gatewayConfig,
  extensionHooks: payoutHooks,
  load: async () => (await import('./module.ts')).payoutsModule,
  openDemo: async () => (await import('./demo/demo-payouts.ts')).openDemoPayouts(),
} satisfies Addon;
