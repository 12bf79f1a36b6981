import { Store } from 'lucide-preact';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    stores: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    store: true;
    'store-kinds': true;
    'store-request': true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    stores: typeof import('../texts/en.json');
  }
}

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    'http-store': 'integrator';
    shopify: 'owner';
    stripe: 'owner';
    woocommerce: 'owner';
  }
}

export const part: ConsolePart = {
  addon: 'stores',
  screens: [
    {
      name: 'stores',
      Icon: Store,
      group: 'bottom',
      position: 150,
      letter: 'e',
      list: async () => (await import('./stores-screen.tsx')).Stores,
      detail: async () => (await import('./stores-detail.tsx')).Store,
      guide: 'owner#stores',
    },
  ],
  ordersFrom: {
    href: '/console/stores',
    action: 'console-orders.emptyAction',
    step: 'console-overview.order.stores',
  },
  needs: { stores_failing: { href: '/console/stores', position: 90 } },
  objects: { store: 'stores/', store_connection: 'stores/' },
};
