import { api } from '../../../web/api.ts';
import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';
import { useUnread } from '../../../web/portal/unread.ts';

export const part: PortalPart = {
  addon: 'announcements',
  screens: [
    {
      path: '/app/news',
      label: 'portal.nav.news',
      section: 'inbox',
      position: 20,
      screen: lazyScreen(async () => (await import('./news-screen.tsx')).NewsScreen),
      useUnread: () =>
        useUnread('news', (id, input) => api.affiliates.announcements.list(id, input)),
      guide: 'your-account#news-and-messages',
    },
  ],
};
