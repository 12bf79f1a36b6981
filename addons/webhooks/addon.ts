import type { Addon } from '../../src/kernel/declare/addon.ts';
import { webhookCommands } from './commands.ts';

export const webhooks = {
  name: 'webhooks',
  commands: [webhookCommands],
  load: async () => (await import('./module.ts')).webhooksModule,
  openDemo: async () => (await import('./demo.ts')).openDemoWebhooks(),
} satisfies Addon;
