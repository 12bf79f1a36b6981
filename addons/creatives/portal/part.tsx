import texts from 'texts:portal-creatives';
import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import { withTexts } from '../../../web/frame/with-texts.ts';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';

export const part: PortalPart = {
  addon: 'creatives',
  share: {
    tab: 'material',
    label: 'portal-links.tab.material',
    position: 10,
    View: lazyScreen(withTexts(texts, async () => (await import('./creatives.tsx')).Creatives))
      .View,
  },
  figures: { label: 'portal-figures.creatives', path: '/sources?by=creative' },
};
