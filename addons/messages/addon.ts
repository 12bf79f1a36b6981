import type { Addon } from '../../src/kernel/declare/addon.ts';

export const messages = {
  name: 'messages',
  openDemo: async () => (await import('./demo.ts')).demoMessages,
  load: async () => (await import('./module.ts')).messagesModule,
} satisfies Addon;
