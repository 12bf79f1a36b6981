import type { Addon } from '../../src/kernel/declare/addon.ts';
import { storeCommands } from './commands.ts';
import { storeHooks } from './extension.ts';

export const stores = {
  name: 'stores',
  commands: [storeCommands],
  extensionHooks: storeHooks,
  load: async () => (await import('./module.ts')).storesModule,
  openDemo: async () => (await import('./demo.ts')).openDemoStores(),
} satisfies Addon;
