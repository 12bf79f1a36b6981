import { Megaphone } from 'lucide-preact';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';
import { useSeriesNames } from './series-names.ts';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    announcements: 'owner';
    series: 'owner';
  }
}

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    announcements: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    announcements: true;
    'mail-series': true;
    news: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    announcements: typeof import('../texts/en.json');
  }
}

export const part: ConsolePart = {
  addon: 'announcements',
  screens: [
    {
      name: 'announcements',
      Icon: Megaphone,
      group: 'reach',
      position: 120,
      letter: 'u',
      appearsAfter: 'order',
      list: async () => (await import('./announcements-screen.tsx')).Announcements,
      detail: async () => (await import('./announcements-detail.tsx')).AnnouncementDetail,
      edit: async () => (await import('./announcements-detail.tsx')).AnnouncementEdit,
      guide: 'announcements',
    },
  ],
  objects: { announcement: 'announcements/', series: 'announcements?series=' },
  useNames: useSeriesNames,
};
