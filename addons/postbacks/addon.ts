import type { Addon } from '../../src/kernel/declare/addon.ts';

export const postbacks = {
  name: 'postbacks',
  load: async () => (await import('./module.ts')).postbacksModule,
  openDemo: async () => (await import('./demo.ts')).openDemoPostbacks(),
} satisfies Addon;
