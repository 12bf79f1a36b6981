import type { Addon } from '../../src/kernel/declare/addon.ts';

export const multilevel = {
  name: 'multilevel',
  load: async () => (await import('./module.ts')).multilevelModule,
  openDemo: async () => (await import('./demo.ts')).demoLine,
} satisfies Addon;
