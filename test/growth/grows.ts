import { withAddons } from '../support/addon-facts.ts';

export interface Growth {
  readonly stepsPerRow: number;
  readonly because: string;
}

/** Work that grows with the rows of a store because it needs them, with the most steps for each row of a table. */
const ownGrows: Readonly<Record<string, Growth>> = {
  'GET /svc/store/v1/exports/affiliates.csv': {
    stepsPerRow: 170,
    because: 'exports every affiliate, in batches',
  },
  'GET /svc/store/v1/exports/events.csv': {
    stepsPerRow: 40,
    because: 'exports every event, in batches',
  },
  'GET /svc/store/v1/exports/orders.csv': {
    stepsPerRow: 60,
    because: 'exports every order, in batches',
  },
  'GET /svc/store/v1/exports/payouts.csv': {
    stepsPerRow: 45,
    because: 'exports every payout, in batches',
  },
  'GET /svc/store/v1/groups': {
    stepsPerRow: 2.8,
    because: 'counts the affiliates of each group along an index; here all are in one',
  },
  'GET /svc/store/v1/ledger/verify': {
    stepsPerRow: 330,
    because: 'verifies the balances of every account, and whose each order is, in batches',
  },
  'GET /svc/store/v1/orders': {
    stepsPerRow: 1,
    because: 'looks at up to 2,001 orders of each status, which the small store does not have',
  },
  'POST /svc/store/v1/affiliates/{id}/anonymise': {
    stepsPerRow: 3.1,
    because: 'looks for challenges of the person among those of the last minutes',
  },
  'POST /svc/store/v1/imports/{id}/undo': {
    stepsPerRow: 2.5,
    because: 'asks about every coupon and order of the import, which has a fifth of all',
  },
  'job bonuses.check': {
    stepsPerRow: 380,
    because: 'checks every affiliate after a bonus was changed, in batches',
  },
  'job clock.correct-instants': {
    stepsPerRow: 40,
    because: 'looks for times in the future, once after a start and when the clock was set back',
  },
  'job imports.undo': {
    stepsPerRow: 17.5,
    because: 'removes what the import has added, which is a fifth of all',
  },
};
export const grows = withAddons(ownGrows, (facts) => facts.grows);
