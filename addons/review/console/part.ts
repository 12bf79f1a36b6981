import { ShieldAlert } from 'lucide-preact';
import texts from 'texts:console-cases';
import { api } from '../../../web/api.ts';
import type { ConsolePart } from '../../../web/console/addon-parts.ts';
import { lazyScreen } from '../../../web/frame/lazy-screen.tsx';
import { withTexts } from '../../../web/frame/with-texts.ts';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    review: 'owner';
  }
}

declare module '../../../web/console/console-screen.ts' {
  interface ConsoleScreens {
    review: true;
  }
}

declare module '../../../web/data.ts' {
  interface Families {
    cases: true;
  }
}

declare module '../../../web/words.ts' {
  interface AddonTexts {
    review: typeof import('../texts/en.json');
  }
}

const PATH = '/console/review';

export const part: ConsolePart = {
  addon: 'review',
  screens: [
    {
      name: 'review',
      Icon: ShieldAlert,
      group: 'decide',
      position: 40,
      letter: 'f',
      navLabel: 'console.section.review',
      appearsAfter: 'order',
      hasContent: async () => (await api.cases.list({ per_page: 1 })).total > 0,
      need: 'cases_open',
      keys: { c: 'console-shortcuts.release', r: 'console-shortcuts.withhold' },
      list: async () => (await import('./review-screen.tsx')).Review,
      detail: async () => (await import('./review-detail.tsx')).CaseDetail,
      guide: 'review',
    },
  ],
  needs: {
    cases_answered: { href: PATH, position: 40 },
    cases_open: {
      href: PATH,
      position: 50,
      names: async (max) => {
        const { items } = await api.cases.list({ state: 'open', sort: 'answered', per_page: max });
        return items.map(({ affiliate }) => affiliate?.name ?? '');
      },
    },
  },
  objects: { case: 'review/' },
  beforeDecision: lazyScreen(
    withTexts(texts, async () => (await import('./case-links.tsx')).CasesOfAffiliate),
    null,
  ).View,
  order: lazyScreen(
    withTexts(texts, async () => (await import('./case-links.tsx')).CasesOfOrder),
    null,
  ).View,
};
