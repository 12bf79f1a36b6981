import type { Addon } from '../../kernel/declare/addon.ts';
import { storeCommands } from './commands.ts';
import { storeHooks } from './extension.ts';

export const stores = {
  name: 'stores',
  commands: [storeCommands],
  extensionHooks: storeHooks,
  load: async () => (await import('./module.ts')).storesModule,
  openDemo: async () => (await import('./demo-stores.ts')).openDemoStores(),
} satisfies Addon;
