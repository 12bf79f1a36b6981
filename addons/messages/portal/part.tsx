import texts from 'texts:portal-messages';
import { api } from '../../../web/api.ts';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';
import { screenWithTexts } from '../../../web/portal/screen-with-texts.ts';
import { useUnread } from '../../../web/portal/unread.ts';

export const part: PortalPart = {
  addon: 'messages',
  screens: [
    {
      path: '/app/messages',
      label: 'portal.nav.messages',
      section: 'inbox',
      position: 10,
      screen: screenWithTexts(
        texts,
        async () => (await import('./messages-screen.tsx')).MessagesScreen,
      ),
      useUnread: () =>
        useUnread('messages', (id, input) => api.affiliates.messages.list(id, input)),
      guide: 'your-account#news-and-messages',
    },
  ],
};
