import type { Addon } from '../../kernel/declare/addon.ts';

export const multilevel = {
  name: 'multilevel',
  load: async () => (await import('./module.ts')).multilevelModule,
  openDemo: async () => (await import('./demo-line.ts')).demoLine,
} satisfies Addon;
