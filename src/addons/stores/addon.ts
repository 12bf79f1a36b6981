import type { Addon } from '../../kernel/declare/addon.ts';
import { storeHooks } from './extension.ts';

export const stores = {
  name: 'stores',
  extensionHooks: storeHooks,
  load: async () => (await import('./module.ts')).storesModule,
} satisfies Addon;
