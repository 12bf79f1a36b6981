import { query } from '../../../src/db/statements/query.ts';
import {
  COUNTED_MAX,
  defineCounter,
  defineMetrics,
  gauge,
  secondsLate,
} from '../../../src/kernel/declare/metric.ts';
import { listSyncs } from '../sync/sync-rows.ts';
import { listAllConnections } from './connection-rows.ts';

const waiting = query<{ limit: number }, { deliveries: number; oldest: number | null }>((db, p) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('store_deliveries')
        .select('due_at')
        .where('due_at', 'is not', null)
        .where('connection_id', 'in', (active) =>
          active
            .selectFrom('store_connections')
            .select('id')
            .where('state', 'not in', ['paused', 'deleted']),
        )
        .limit(p.limit)
        .as('waiting'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('deliveries'),
      eb.fn.min<number | null>('due_at').as('oldest'),
    ]),
);

const backlog = defineMetrics(
  {
    waiting: gauge(
      'tributary_store_deliveries_waiting',
      `Number of deliveries of active stores that are not processed yet, counted up to ${COUNTED_MAX}.`,
    ),
    oldest: gauge(
      'tributary_store_deliveries_oldest_seconds',
      'Seconds since the oldest unprocessed delivery of an active store became due.',
    ),
  },
  async (site) => {
    const found = (await site.database.read.first(waiting, { limit: COUNTED_MAX }))!;
    return {
      waiting: found.deliveries,
      oldest: secondsLate(site, found.oldest),
    };
  },
);

const labels = ['connection', 'kind'];

const connections = defineMetrics(
  {
    failing: gauge(
      'tributary_store_failing',
      '1 if a connected store has a problem, otherwise 0.',
      labels,
    ),
    lag: gauge(
      'tributary_store_lag_seconds',
      'Seconds since a connected store was last read completely.',
      labels,
    ),
    missed: gauge(
      'tributary_store_missed_orders',
      'Orders that reconciling found and no delivery had brought.',
      labels,
    ),
    rejected: gauge(
      'tributary_store_rejected_deliveries',
      'Deliveries with a wrong signature, at most 60 counted per minute.',
      labels,
    ),
  },
  async (site) => {
    const { read } = site.database;
    const rows = await listAllConnections(read);
    const syncs = await listSyncs(read, 'reconcile');
    const sampled = (value: (row: (typeof rows)[number]) => number | undefined) =>
      rows.flatMap((row) => {
        const found = value(row);
        const own = { connection: String(row.id), kind: row.kind };
        return found === undefined ? [] : [{ labels: own, value: found }];
      });
    return {
      failing: sampled(({ state }) => Number(state === 'degraded' || state === 'failed')),
      lag: sampled(({ id }) => {
        const finished = syncs.get(id)?.finished_at;
        return typeof finished === 'number' ? secondsLate(site, finished) : undefined;
      }),
      missed: sampled(({ missed_found }) => missed_found),
      rejected: sampled(({ rejected }) => rejected),
    };
  },
);

export const deliveriesTotal = defineCounter(
  {
    name: 'tributary_store_deliveries_total',
    help: 'Deliveries of stores, by outcome.',
    labels: ['outcome'],
  },
  [{ outcome: 'kept' }, { outcome: 'rejected' }],
);

export const storeMetrics = [backlog, connections, deliveriesTotal];
