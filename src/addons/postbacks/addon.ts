import type { Addon } from '../../kernel/declare/addon.ts';

export const postbacks = {
  name: 'postbacks',
  load: async () => (await import('./module.ts')).postbacksModule,
  openDemo: async () => (await import('./demo-postbacks.ts')).openDemoPostbacks(),
} satisfies Addon;
