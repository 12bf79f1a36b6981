import { defineCommand } from '../../kernel/declare/command.ts';

export const setupCommand = defineCommand({
  name: 'setup',
  description:
    'print a new setup link and invalidate the old one, as long as there is no administrator',
  notes: 'Example:\n  ./tributary setup',
  run: async (context) => (await import('./setup-command.ts')).printSetupLink(context),
});
