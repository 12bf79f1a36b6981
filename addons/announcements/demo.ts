import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import { sendAnnouncements } from './announcements/send-announcements.ts';
import { createAnnouncement } from './api/create-announcement.ts';
import { sendAnnouncement } from './api/send-announcement.ts';
import { seriesHappenings } from './demo-series.ts';

const NEWS = [
  {
    daysAgo: 20,
    subject: 'New pictures for your pages',
    text:
      'Hello {{name}},\n\nwe have taken new pictures of the spring collection. You may use all of them.\n\n' +
      'Your link: {{referral_url}}',
  },
  {
    daysAgo: 3,
    subject: 'Free shipping until Sunday',
    text:
      'Hello {{name}},\n\ncustomers who order with {{coupon_code}} pay no shipping until Sunday. A good week to ' +
      'remind your readers.',
  },
];

export const demoAnnouncements: DemoPart = {
  counts: () => ({ announcements: NEWS.length, series: 1 }),
  happenings(site) {
    if (!site.registry.isActive(createAnnouncement)) return [];
    const news = NEWS.map(({ daysAgo, subject, text }) => ({
      daysAgo,
      async happen() {
        const texts = { en: { subject, text } };
        const draft = await invoke<{ id: number }>(site, createAnnouncement, {
          texts,
          channels: ['portal'],
        });
        await invoke(site, sendAnnouncement, { id: draft.id });
        await sendAnnouncements.run(site);
      },
    }));
    return [...news, ...seriesHappenings(site)];
  },
};
