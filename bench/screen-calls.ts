import { YEAR } from './read-paths.ts';

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
  'console Overview': [
    `${STORE}/overview?${YEAR}`,
    `${STORE}/stats/series?${YEAR}&interval=day`,
    '/svc/v2/events?per_page=8',
  ],
  'console palette': [`${STORE}/search?q=a`, `${STORE}/search?q=12`],
};
