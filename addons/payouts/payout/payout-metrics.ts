import { sql } from 'kysely';
import { readCount } from '../../../src/db/lists/paged-list.ts';
import { query } from '../../../src/db/statements/query.ts';
import {
  COUNTED_MAX,
  defineCounter,
  defineMetrics,
  gauge,
  secondsLate,
} from '../../../src/kernel/declare/metric.ts';
import { storeFailures } from '../extension.ts';
import { payoutStatuses, type PayoutStatus } from './payout-status.ts';

/** Reads the daily sums: one row per day and status for any number of payouts. */
const byStatus = query<object, { status: PayoutStatus; payouts: number }>((db) =>
  db
    .selectFrom('payout_days')
    .select(['status', sql<number>`sum(payouts)`.as('payouts')])
    .where('basis', '=', 'requested')
    .groupBy('status'),
);

const followUps = query<{ limit: number }, { payouts: number; due_at: number | null }>((db, p) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('payouts')
        .select('ask_at')
        .where('ask_at', 'is not', null)
        .orderBy('ask_at')
        .limit(p.limit)
        .as('waiting'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('payouts'),
      eb.fn.min<number | null>('ask_at').as('due_at'),
    ]),
);

const unclear = readCount((db, p: { limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('payouts')
      .select('unclear_since')
      .where('unclear_since', 'is not', null)
      .limit(p.limit)
      .as('unclear'),
  ),
);

const payoutBacklog = defineMetrics(
  {
    payouts: gauge('tributary_payouts', 'Payouts by status.', ['status']),
    waiting: gauge(
      'tributary_payout_follow_ups_waiting',
      `Payouts whose gateway is to be polled again, counted up to ${COUNTED_MAX}.`,
    ),
    oldest: gauge(
      'tributary_payout_follow_ups_oldest_seconds',
      'How long the oldest due follow-up has been waiting.',
    ),
    unclear: gauge(
      'tributary_payouts_unclear',
      `Payouts whose outcome is unknown, counted up to ${COUNTED_MAX}.`,
    ),
  },
  async (site) => {
    const { read } = site.database;
    const sums = new Map(
      (await read.all(byStatus, {})).map(({ status, payouts }) => [status, payouts]),
    );
    const asked = (await read.first(followUps, { limit: COUNTED_MAX }))!;
    return {
      payouts: payoutStatuses.map((status) => ({
        labels: { status },
        value: Number(sums.get(status) ?? 0),
      })),
      waiting: asked.payouts,
      oldest: secondsLate(site, asked.due_at),
      unclear: await unclear(read, { limit: COUNTED_MAX }),
    };
  },
);

export const gatewayFailures = defineCounter(
  {
    name: 'tributary_gateway_failures_total',
    help: 'Calls to payment gateways that did not pay, by gateway and reason.',
    labels: ['gateway', 'reason'],
  },
  ['stripe', 'paypal', 'wise'].flatMap((gateway) =>
    storeFailures.map((reason) => ({ gateway, reason })),
  ),
);

export const payoutMetrics = [payoutBacklog, gatewayFailures];
