import { readCount } from '../../../db/lists/paged-list.ts';
import { query } from '../../../db/statements/query.ts';
import {
  COUNTED_MAX,
  defineCounter,
  defineMetrics,
  gauge,
  secondsLate,
} from '../../../kernel/declare/metric.ts';

const waiting = readCount((db, p: { limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('webhook_deliveries')
      .select('webhook_id')
      .where('due_at', 'is not', null)
      .limit(p.limit)
      .as('waiting'),
  ),
);

/** One index lookup per webhook, regardless of the number of deliveries. */
const firstDue = query<object, { due_at: number | null }>((db) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('webhooks')
        .select((inner) =>
          inner
            .selectFrom('webhook_deliveries')
            .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
            .where('webhook_deliveries.due_at', 'is not', null)
            .select((e) => e.fn.min<number | null>('webhook_deliveries.due_at').as('due_at'))
            .as('due_at'),
        )
        .as('each'),
    )
    .select((eb) => eb.fn.min<number | null>('each.due_at').as('due_at')),
);

const failing = readCount((db) =>
  db.selectFrom('webhooks').where('status', '=', 'active').where('failing_since', 'is not', null),
);

const backlog = defineMetrics(
  {
    waiting: gauge(
      'tributary_webhook_deliveries_waiting',
      `Number of pending webhook deliveries, counted up to ${COUNTED_MAX}.`,
    ),
    oldest: gauge(
      'tributary_webhook_deliveries_oldest_seconds',
      'Seconds since the oldest pending delivery became due.',
    ),
    failing: gauge(
      'tributary_webhooks_failing',
      'Number of active webhooks whose last attempt failed.',
    ),
  },
  async (site) => {
    const { read } = site.database;
    const due = await read.first(firstDue, {});
    return {
      waiting: await waiting(read, { limit: COUNTED_MAX }),
      oldest: secondsLate(site, due?.due_at),
      failing: await failing(read, {}),
    };
  },
);

export const attemptsTotal = defineCounter(
  {
    name: 'tributary_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome.',
    labels: ['outcome'],
  },
  [{ outcome: 'delivered' }, { outcome: 'failed' }],
);

export const webhookMetrics = [backlog, attemptsTotal];
