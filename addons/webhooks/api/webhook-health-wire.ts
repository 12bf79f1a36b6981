import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { seriesOf } from '../../../src/kernel/call/series.ts';
import { LocalTime, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { sumsSince } from '../delivery/day-rows.ts';
import type { WebhookRow } from '../webhook/webhook-rows.ts';
import { toWebhook, webhookExample, webhookFields } from './webhook-wire.ts';

export const WebhookHealthSchema = Type.Object(
  {
    ...webhookFields,
    date_failing: Nullable(LocalTime('Since when every attempt has failed; null if none did.')),
    date_paused: Nullable(
      LocalTime('Nothing is sent before: the receiver asked for a pause, or it is down.'),
    ),
    replay: Nullable(
      Type.Object(
        {
          after: Type.Integer({ description: 'The event after which the rest begins.' }),
          until: Type.Integer({ description: 'The last event of the replay.' }),
        },
        { description: 'The rest of a replay; null if none is running.' },
      ),
    ),
    delivered: Type.Integer({ description: 'Successful attempts in the last 30 days.' }),
    failed: Type.Integer({ description: 'Failed attempts in the last 30 days.' }),
  },
  {
    $id: 'WebhookHealth',
    examples: [
      {
        ...webhookExample,
        failures: 2,
        last_delivery: '2026-02-03T09:30:01',
        last_error: 'The receiver answered 500.',
        date_failing: '2026-02-03T09:29:55',
        date_paused: null,
        replay: null,
        delivered: 118,
        failed: 2,
      },
    ],
  },
);

/** Adds health and figures to webhooks. */
export async function withHealth(
  db: Reader,
  rows: readonly WebhookRow[],
  site: Site,
  nowMs: number,
): Promise<Static<typeof WebhookHealthSchema>[]> {
  // The default range of a series: 30 days.
  const { from } = seriesOf({}, site, nowMs);
  const ids = rows.map(({ id }) => id);
  const sums = await sumsSince(db, ids, from);
  const { calendar } = site;
  return rows.map((row) => ({
    ...toWebhook(row, site),
    date_failing: calendar.toLocal(row.failing_since),
    date_paused: row.paused_until > nowMs ? calendar.toLocal(row.paused_until) : null,
    replay:
      row.replay_after === null ? null : { after: row.replay_after, until: row.replay_until ?? 0 },
    delivered: sums.get(row.id)?.delivered ?? 0,
    failed: sums.get(row.id)?.failed ?? 0,
  }));
}
