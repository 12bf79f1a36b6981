import texts from 'texts:portal-money';
import type { PortalPart } from '../../../web/portal/addon-parts.tsx';
import { screenWithTexts } from '../../../web/portal/screen-with-texts.ts';

export const part: PortalPart = {
  addon: 'payouts',
  screens: [
    {
      path: '/app/payout-details',
      label: 'portal.nav.payoutDetails',
      section: 'money',
      position: 10,
      screen: screenWithTexts(
        texts,
        async () => (await import('./payout-details-screen.tsx')).PayoutDetailsScreen,
      ),
      isPrivate: true,
      guide: 'your-account#money',
    },
  ],
  moneyScreen: () => import('./money.tsx'),
};
