import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';

export const part: PortalPart = {
  addon: 'review',
  money: lazyScreen(async () => (await import('./cases-card.tsx')).CasesCard, null).View,
};
