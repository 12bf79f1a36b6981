import type { Addon } from '../../kernel/declare/addon.ts';
import { webhookCommands } from './commands.ts';

export const webhooks = {
  name: 'webhooks',
  commands: [webhookCommands],
  load: async () => (await import('./module.ts')).webhooksModule,
  openDemo: async () => (await import('./demo-webhooks.ts')).openDemoWebhooks(),
} satisfies Addon;
