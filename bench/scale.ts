import { options } from './options.ts';

/** How much data there is and how much work a round does. */
interface Scale {
  readonly coupons: number;
  /** The owners of all coupons, in turn. */
  readonly affiliates: number;
  readonly keys: number;
  /** How many coupons have orders besides the first. */
  readonly couponsWithOrders: number;
  /** How many coupons are read in turn: concurrent reads of the same one could share a statement. */
  readonly couponsRead: number;
  /** How often a request is sent that is measured alone. */
  readonly times: number;
  readonly puts: number;
  readonly batches: number;
  readonly batch: number;
  readonly payoutRequests: number;
  readonly payoutsListed: number;
  readonly events: number;
  readonly webhooks: number;
  readonly writesBesideWebhooks: number;
  readonly eventsFannedOut: number;
  readonly webhooksFannedOutTo: number;
  readonly ordersBesideFanOut: number;
  readonly deliveries: number;
  /** The first start fills the compile cache and does not count, unless it is the only one. */
  readonly starts: number;
  readonly settleMs: number;
  readonly aloneMs: number;
  /** Between two looks at a job in the background. */
  readonly pollMs: number;
  readonly screenTimes: number;
  readonly applications: number;
  readonly clickDays: number;
  readonly busyCoupons: number;
  readonly couponsWithClicks: number;
}

const usual: Scale = {
  coupons: 100_000,
  affiliates: 4_000,
  keys: 100,
  couponsWithOrders: 20_000,
  couponsRead: 256,
  times: 7,
  puts: 1_000,
  batches: 2,
  batch: 1_000,
  payoutRequests: 1_000,
  payoutsListed: 1_000_000,
  events: 5_000,
  webhooks: 50,
  writesBesideWebhooks: 50,
  eventsFannedOut: 1_000,
  webhooksFannedOutTo: 200,
  ordersBesideFanOut: 500,
  // With the default of three rounds and the warm-up: 10,000.
  deliveries: 2_500,
  starts: 4,
  settleMs: 1_000,
  aloneMs: 3_000,
  pollMs: 200,
  screenTimes: 50,
  applications: 20_000,
  clickDays: 600_000,
  busyCoupons: 1_000,
  couponsWithClicks: 20_000,
};

/** So little that every part runs within seconds. It shows that the benchmark works; its figures say nothing. */
const smoke: Scale = {
  coupons: 200,
  affiliates: 20,
  keys: 2,
  couponsWithOrders: 40,
  couponsRead: 4,
  times: 1,
  puts: 32,
  batches: 1,
  batch: 20,
  payoutRequests: 32,
  payoutsListed: 600,
  events: 20,
  webhooks: 2,
  writesBesideWebhooks: 2,
  eventsFannedOut: 4,
  webhooksFannedOutTo: 2,
  ordersBesideFanOut: 2,
  deliveries: 32,
  starts: 1,
  settleMs: 10,
  aloneMs: 20,
  pollMs: 20,
  screenTimes: 1,
  applications: 10,
  clickDays: 60,
  busyCoupons: 10,
  couponsWithClicks: 20,
};

export const scale = options.smoke ? smoke : usual;
