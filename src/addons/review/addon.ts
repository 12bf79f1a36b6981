import type { Addon } from '../../kernel/declare/addon.ts';
import { caseCommands } from './commands.ts';

export const review = {
  name: 'review',
  commands: [caseCommands],
  load: async () => (await import('./module.ts')).reviewModule,
} satisfies Addon;
