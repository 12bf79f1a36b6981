import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';

export const part: PortalPart = {
  addon: 'personal_pages',
  share: {
    tab: 'page',
    label: 'portal-links.tab.page',
    position: 20,
    View: lazyScreen(async () => (await import('./personal-page.tsx')).PersonalPage).View,
  },
};
