import { DAY, MONTH, YEAR } from './read-paths.ts';

const STORE = '/svc/store/v1';

/**
 * The calls of each screen that read from the database. `BUSIEST` is the owner of the coupon with most orders,
 * `OTHER` an affiliate like most, whose statement of a year is short enough for one answer.
 */
export const screens: Readonly<Record<string, readonly string[]>> = {
  'portal Home': [
    `${STORE}/affiliates/BUSIEST/balance`,
    `${STORE}/affiliates/BUSIEST/stats/series?${YEAR}&interval=day`,
    `${STORE}/affiliates/BUSIEST/orders?per_page=5`,
  ],
  'portal Links': [`${STORE}/coupons/1/campaigns`],
  'portal Orders': [
    `${STORE}/affiliates/BUSIEST/orders?per_page=20`,
    `${STORE}/affiliates/BUSIEST/orders?per_page=20&state=on_hold`,
    `${STORE}/affiliates/BUSIEST/orders?per_page=20&search=1234`,
    `${STORE}/orders/1/commission`,
  ],
  'portal Money': [
    `${STORE}/coupons/1/payout-check`,
    '/svc/v2/payouts?per_page=20',
    `${STORE}/affiliates/OTHER/statement?${YEAR}`,
  ],
  'console Review': [
    `${STORE}/cases?state=open&per_page=25`,
    `${STORE}/cases?state=open&affiliate_id=BUSIEST&per_page=1`,
    `${STORE}/cases?order_id=1`,
    `${STORE}/review/rules`,
  ],
  'console Overview': [
    `${STORE}/overview?${YEAR}`,
    `${STORE}/stats/series?${YEAR}&interval=day`,
    '/svc/v2/events?per_page=8',
  ],
  'console palette': [`${STORE}/search?q=a`, `${STORE}/search?q=12`],
  'console Affiliates': [
    `${STORE}/affiliates?per_page=20`,
    `${STORE}/affiliates?per_page=20&sort=-sales`,
    `${STORE}/affiliates?per_page=20&sort=-unpaid`,
    `${STORE}/affiliates?per_page=20&search=user12`,
    `${STORE}/affiliates?per_page=20&search=shop&sort=-sales&group=Big&status=active`,
    `${STORE}/affiliates?per_page=20&search=shop&sort=-sales&group=Big&status=active&page=500`,
    `${STORE}/affiliates?per_page=20&sort=-sales&page=4000`,
    `${STORE}/events?object_type=affiliate&object_id=BUSIEST`,
  ],
  'console Coupons': [
    `${STORE}/coupons?per_page=20&sort=code`,
    `${STORE}/coupons?per_page=20&search=CODE12`,
  ],
  'console Orders': [
    `${STORE}/orders?per_page=20`,
    `${STORE}/orders?per_page=20&sort=-amount`,
    `${STORE}/orders?per_page=20&sort=-commission`,
    `${STORE}/orders?per_page=20&status=completed&sort=-amount`,
    `${STORE}/orders?per_page=20&search=CODE12`,
    `${STORE}/orders?per_page=20&affiliate=BUSIEST`,
    `${STORE}/orders?per_page=20&affiliate=BUSIEST&sort=-amount`,
    `${STORE}/orders?per_page=20&${DAY}&sort=-commission`,
    `${STORE}/orders?per_page=20&${MONTH}&sort=-amount`,
    `${STORE}/orders?per_page=20&${YEAR}&sort=-commission`,
  ],
  'console Payouts': [
    `${STORE}/payouts?per_page=20&status=pending`,
    `${STORE}/payouts?per_page=20&sort=-amount`,
    `${STORE}/payouts?per_page=20&page=2500`,
    `${STORE}/payouts?per_page=20&status=pending,processing&sort=-updated`,
    `${STORE}/payouts?per_page=20&search=shop`,
    `${STORE}/payouts?per_page=20&search=CODE12`,
  ],
  'console Applications': [
    `${STORE}/registrations?per_page=20`,
    `${STORE}/registrations?per_page=20&status=pending&sort=date`,
    `${STORE}/registrations?per_page=20&search=shop12`,
  ],
  'console Reports': [
    `${STORE}/reports?by=day&${YEAR}`,
    `${STORE}/reports?by=affiliate&${MONTH}`,
    `${STORE}/reports?by=coupon&${MONTH}`,
    `${STORE}/reports?by=campaign&${MONTH}`,
    `${STORE}/reports?by=affiliate&${YEAR}`,
    `${STORE}/reports?by=coupon&${YEAR}`,
    `${STORE}/reports?by=campaign&${YEAR}`,
    `${STORE}/stats/series?${YEAR}&interval=day`,
  ],
  'console Clicks': [`${STORE}/clicks/stats/series?${YEAR}&interval=day`],
  'console Activity': [`${STORE}/events`, `${STORE}/events?${YEAR}`],
  'console Webhooks': [`${STORE}/webhooks/health`],
  'console Keys': [`${STORE}/api-keys`],
  'console Team': [`${STORE}/team`],
  'console Settings': [`${STORE}/settings`, `${STORE}/settings/schema`],
  'console Outbox': [`${STORE}/outbox`],
};
