import { IdCard } from 'lucide-preact';
import { api } from '../../../web/api.ts';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    'personal-pages': 'owner';
  }
}

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    'personal-pages': true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    'personal-pages': true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    'personal-pages': typeof import('../texts/en.json');
  }
}

export const part: ConsolePart = {
  addon: 'personal_pages',
  screens: [
    {
      name: 'personal-pages',
      Icon: IdCard,
      group: 'reach',
      section: 'material',
      position: 110,
      letter: 'z',
      appearsAfter: 'affiliate',
      list: async () => (await import('./personal-pages-screen.tsx')).PersonalPages,
      guide: 'personal-pages',
    },
  ],
  needs: {
    personal_pages: {
      href: '/console/personal-pages?state=waiting',
      position: 80,
      names: async (max) => {
        const { items } = await api.personalPages.list({ state: 'waiting', per_page: max });
        return items.map(({ affiliate }) => affiliate);
      },
    },
  },
  groupGuides: { personal_pages: 'personal-pages' },
};
