import type { Addon } from '../../kernel/declare/addon.ts';

export const messages = {
  name: 'messages',
  openDemo: async () => (await import('./demo-messages.ts')).demoMessages,
  load: async () => (await import('./module.ts')).messagesModule,
} satisfies Addon;
