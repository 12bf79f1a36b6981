import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { acceptPage } from './api/accept-page.ts';
import { listPagesOf } from './page-rows.ts';
import { writePage } from './write-page.ts';

interface DemoPage {
  /** The place of the affiliate in the list. */
  readonly of: number;
  readonly daysAgo: number;
  readonly name: string;
  readonly text: string;
  /** Without it, the page waits for the review. */
  readonly acceptedDaysAgo?: number;
}

const PAGES: readonly DemoPage[] = [
  {
    of: 0,
    daysAgo: 41,
    name: 'Maya',
    text:
      'I write about slow evenings, and I have burned a good many candles for it. Those of Willow & Wick are ' +
      'the ones I buy again: they smell of beeswax and nothing else.\n\nBegin with the small set. It lasts a winter.',
    acceptedDaysAgo: 40,
  },
  {
    of: 1,
    daysAgo: 1,
    name: 'Tomás',
    text: 'My table, my guests, my candles. Ask me anything about wicks.',
  },
];

/** One page that visitors see, and one that waits for the review. */
export const demoPages: DemoPart = {
  counts: () => ({ pages: PAGES.length }),
  async prepare(site) {
    if (!site.registry.isActive(acceptPage)) return;
    await invoke(site, changeSettings, { 'personal_pages.enabled': true });
  },
  happenings(site, affiliates) {
    if (!site.registry.isActive(acceptPage)) return [];
    const { database } = site;
    return PAGES.flatMap(({ of, daysAgo, name, text, acceptedDaysAgo }) => {
      const userId = affiliates[of]!.id;
      const page = { userId, actorId: userId, isShown: false, name, text, language: 'en' };
      const write = () =>
        database.transaction((tx) => writePage(tx, { ...page, nowMs: site.clock() }));
      const written = { daysAgo, happen: write };
      if (acceptedDaysAgo === undefined) return [written];
      const accept = async () => {
        const [version] = await listPagesOf(database.read, { user_id: userId });
        await invoke(site, acceptPage, { id: version!.id });
      };
      return [written, { daysAgo: acceptedDaysAgo, happen: accept }];
    });
  },
};
