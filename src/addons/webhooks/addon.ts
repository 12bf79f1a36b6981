import type { Addon } from '../../kernel/declare/addon.ts';

export const webhooks = {
  name: 'webhooks',
  load: async () => (await import('./module.ts')).webhooksModule,
} satisfies Addon;
