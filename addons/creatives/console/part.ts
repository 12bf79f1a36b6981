import { Images } from 'lucide-preact';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    creatives: 'owner';
  }
}

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    creatives: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    creatives: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    creatives: typeof import('../texts/en.json');
  }
}

export const part: ConsolePart = {
  addon: 'creatives',
  screens: [
    {
      name: 'creatives',
      Icon: Images,
      group: 'reach',
      section: 'material',
      position: 100,
      letter: 'b',
      navLabel: 'console.section.creatives',
      appearsAfter: 'affiliate',
      list: async () => (await import('./creatives-screen.tsx')).Creatives,
      guide: 'creatives',
    },
  ],
  reportKinds: ['creative'],
};
