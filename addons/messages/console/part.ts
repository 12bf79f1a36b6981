import { api } from '../../../web/api.ts';
import { MessagesSquare } from 'lucide-preact';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';
import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import { useUnreadThreads } from './unread-threads.ts';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    messages: 'owner';
  }
}

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    messages: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    messages: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    messages: typeof import('../texts/en.json');
  }
}

export const part: ConsolePart = {
  addon: 'messages',
  screens: [
    {
      name: 'messages',
      Icon: MessagesSquare,
      group: 'decide',
      position: 50,
      letter: 'q',
      appearsAfter: 'order',
      useUnread: useUnreadThreads,
      list: async () => (await import('./messages-screen.tsx')).Messages,
      detail: async () => (await import('./messages-detail.tsx')).MessagesDetail,
      guide: 'messages',
    },
  ],
  needs: {
    messages_unread: {
      href: '/console/messages?unread=1',
      position: 70,
      names: async (max) => {
        const { items } = await api.messages.list({ unread: true, per_page: max });
        return items.map(({ name }) => name);
      },
    },
  },
  affiliateActions: lazyScreen(async () => (await import('./thread-link.tsx')).ThreadLink, null)
    .View,
};
