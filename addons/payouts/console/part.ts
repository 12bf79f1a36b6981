import { Banknote } from 'lucide-preact';
import { api } from '../../../web/api.ts';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';
import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    paying: 'owner';
  }
}

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    payouts: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    'payout-methods': true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    payouts: typeof import('../texts/en.json');
  }
}

export const part: ConsolePart = {
  addon: 'payouts',
  screens: [
    {
      name: 'payouts',
      Icon: Banknote,
      group: 'decide',
      position: 20,
      letter: 'p',
      need: 'payouts_to_review',
      list: async () => (await import('./payouts-screen.tsx')).Payouts,
      detail: async () => (await import('./payouts-detail.tsx')).PayoutDetail,
      guide: 'paying',
    },
  ],
  affiliateTab: {
    name: 'payouts',
    label: 'console-affiliates.tab.payouts',
    before: 'clicks',
    screen: lazyScreen(async () => (await import('./affiliate-payouts.tsx')).AffiliatePayouts),
  },
  firstSteps: {
    payout_method: {
      position: 30,
      Body: lazyScreen(async () => (await import('./method-step.tsx')).MethodStep).View,
    },
  },
  needs: {
    payouts_unresolved: { href: '/console/payouts?tab=progress', position: 10, hasPeople: true },
    payouts_failed: { href: '/console/payouts?tab=failed', position: 20, hasPeople: true },
    payouts_to_review: {
      href: '/console/payouts',
      position: 30,
      names: async (max) => {
        const first = { sort: 'created', per_page: max } as const;
        const { items } = await api.payouts.search({ status: 'pending', ...first });
        return items.map(({ affiliate }) => affiliate.name);
      },
    },
  },
  objects: { payout: 'payouts/' },
  groupGuides: { payouts: 'paying', gateways: 'paying#through-a-gateway' },
};
