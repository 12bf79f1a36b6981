import { Webhook } from 'lucide-preact';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    webhooks: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    webhook: true;
    'webhook-events': true;
    webhooks: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    webhooks: typeof import('../texts/en.json');
  }
}

export const part: ConsolePart = {
  addon: 'webhooks',
  screens: [
    {
      name: 'webhooks',
      Icon: Webhook,
      role: 'administrator',
      group: 'bottom',
      section: 'settings',
      position: 210,
      letter: 'w',
      list: async () => (await import('./webhooks-screen.tsx')).Webhooks,
      detail: async () => (await import('./webhooks-detail.tsx')).Webhook,
      guide: 'webhooks',
    },
  ],
  needs: { webhooks_failing: { href: '/console/webhooks', position: 100 } },
  objects: { webhook: 'webhooks/' },
  groupGuides: { webhooks: 'webhooks' },
};
