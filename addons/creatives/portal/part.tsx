import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';

export const part: PortalPart = {
  addon: 'creatives',
  share: {
    tab: 'material',
    label: 'portal-links.tab.material',
    position: 10,
    // Its texts are added to those of the screen that the tab is on.
    View: lazyScreen(async () => (await import('./creatives.tsx')).Creatives).View,
  },
  figures: { label: 'portal-figures.creatives', path: '/sources?by=creative' },
};
