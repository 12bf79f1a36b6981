import type { Addon } from '../../src/kernel/declare/addon.ts';
import { caseCommands } from './commands.ts';
import { reviewHooks } from './extension.ts';

export const review = {
  name: 'review',
  extensionHooks: reviewHooks,
  commands: [caseCommands],
  openDemo: async () => (await import('./demo.ts')).demoReview,
  load: async () => (await import('./module.ts')).reviewModule,
} satisfies Addon;
