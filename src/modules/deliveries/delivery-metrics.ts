import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import {
  COUNTED_MAX,
  defineCounter,
  defineMetrics,
  gauge,
  secondsLate,
  type MetricSource,
} from '../../kernel/declare/metric.ts';
import { waitingReceivers } from './delivery-statements.ts';
import type { DeliveryTables } from './delivery-use.ts';

/** How much waits to be sent, for how long, and how many receivers fail. */
export function backlogMetrics(name: string, tables: DeliveryTables): MetricSource {
  const [receivers, deliveries] = [sql.table(tables.receivers), sql.table(tables.deliveries)];
  const receiverId = sql.ref(tables.receiverId);
  const waiting = query<{ limit: number }, { total: number }>((db, p) => {
    const statement = sql<{ total: number }>`select count(*) as total from
      (select 1 from ${deliveries} where due_at is not null limit ${p.limit}) as waiting`;
    return { compile: () => statement.compile(db) };
  });
  /** One index lookup per receiver, regardless of the number of deliveries. */
  const firstDue = query<object, { due_at: number | null }>((db) => {
    const statement = sql<{ due_at: number | null }>`with recursive ${waitingReceivers(tables)}
      select min((select min(due_at) from ${deliveries}
        where ${receiverId} = waiting.id and due_at is not null)) as due_at
      from waiting`;
    return { compile: () => statement.compile(db) };
  });
  const failing = query<object, { total: number }>((db) => {
    const statement = sql<{ total: number }>`select count(*) as total from ${receivers}
      where status = 'active' and failing_since is not null`;
    return { compile: () => statement.compile(db) };
  });
  return defineMetrics(
    {
      waiting: gauge(
        `tributary_${name}_deliveries_waiting`,
        `Number of pending ${name} deliveries, counted up to ${COUNTED_MAX}.`,
      ),
      oldest: gauge(
        `tributary_${name}_deliveries_oldest_seconds`,
        'Seconds since the oldest pending delivery became due.',
      ),
      failing: gauge(
        `tributary_${name}s_failing`,
        `Number of active ${name}s whose last attempt failed.`,
      ),
    },
    async (site) => {
      const { read } = site.database;
      const due = await read.first(firstDue, {});
      return {
        waiting: (await read.first(waiting, { limit: COUNTED_MAX }))?.total ?? 0,
        oldest: secondsLate(site, due?.due_at),
        failing: (await read.first(failing, {}))?.total ?? 0,
      };
    },
  );
}

/** Counts attempts by outcome. */
export function attemptsCounter(name: string, help: string) {
  return defineCounter({ name: `tributary_${name}_attempts_total`, help, labels: ['outcome'] }, [
    { outcome: 'delivered' },
    { outcome: 'failed' },
  ]);
}
