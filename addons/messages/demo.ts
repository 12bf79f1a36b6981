import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import { listAdministrators } from '../../src/modules/users/index.ts';
import { sendMessage } from './api/send-message.ts';
import type { Side } from './tables.ts';
import { writeMessage } from './write-message.ts';

interface DemoMessage {
  /** The place of the affiliate in the list. */
  readonly of: number;
  readonly daysAgo: number;
  readonly side: Side;
  readonly text: string;
}

/** Three threads: one was answered, one waits for the team, one waits for the affiliate. */
const MESSAGES: readonly DemoMessage[] = [
  {
    of: 0,
    daysAgo: 12,
    side: 'affiliate',
    text: 'Hello,\n\nmay I print the spring picture on a poster for my stall at the market?',
  },
  {
    of: 0,
    daysAgo: 11,
    side: 'team',
    text: 'Gladly! Please use the large version from the creatives, and send us a photo of it.',
  },
  {
    of: 3,
    daysAgo: 5,
    side: 'team',
    text: 'Your video about the beeswax candle brought us many questions. Would you like a second one to give away?',
  },
  {
    of: 0,
    daysAgo: 1,
    side: 'affiliate',
    text: 'Thank you, it has been up since Monday. Could my readers get a code that is easier to remember?',
  },
  {
    of: 5,
    daysAgo: 1,
    side: 'affiliate',
    text: 'When is the next payout? I changed my bank account last week.',
  },
];

export const demoMessages: DemoPart = {
  counts: () => ({ messages: MESSAGES.length }),
  happenings(site, affiliates) {
    if (!site.registry.isActive(sendMessage)) return [];
    return MESSAGES.map(({ of, daysAgo, side, text }) => ({
      daysAgo,
      happen: () =>
        site.database.transaction(async (tx) => {
          const userId = affiliates[of]!.id;
          const [administrator] = await listAdministrators(tx);
          const authorId = side === 'team' ? (administrator?.id ?? 0) : userId;
          const nowMs = site.clock();
          await writeMessage(tx, site, { userId, side, authorId, text, files: [], nowMs });
        }),
    }));
  },
};
