import Type from 'typebox';
import {
  checkSeries,
  seriesOf,
  seriesParameters,
  toPoints,
} from '../../../src/kernel/call/series.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Day, Id, LocalTime, Nullable } from '../../../src/kernel/declare/schemas.ts';
import { listDays } from '../delivery/day-rows.ts';
import { requireWebhook } from '../webhook/webhook-rows.ts';

const { from, to } = seriesParameters;

export const getWebhookStats = operation({
  method: 'GET',
  namespace: 'store',
  path: '/webhooks/{id}/stats',
  summary: 'Get the success rate of a webhook per day',
  description:
    'Counts attempts, not events: a delivery that succeeds at the third attempt counts as two failed attempts and ' +
    'one delivered. Figures are removed after `webhooks.keep_days`.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  query: Type.Object({ from, to }),
  response: Type.Object(
    {
      from: Day('The first day.'),
      to: Day('The last day.'),
      delivered: Type.Integer({ description: 'Successful attempts.' }),
      failed: Type.Integer({ description: 'Failed attempts.' }),
      success_rate: Nullable(
        Type.Number({ description: 'Successful attempts of all, 0 to 1; null without attempts.' }),
      ),
      last_error: Type.String({
        description: 'Why the last failed attempt failed; empty if none did.',
      }),
      date_last_error: Nullable(LocalTime('When that was.')),
      days: Type.Array(
        Type.Object({
          date: Day('The day.'),
          delivered: Type.Integer({ description: 'Successful attempts.' }),
          failed: Type.Integer({ description: 'Failed attempts.' }),
        }),
        { description: 'One per day, in order; without attempts both figures are zero.' },
      ),
    },
    {
      $id: 'WebhookStats',
      examples: [
        {
          from: '2026-02-02',
          to: '2026-02-03',
          delivered: 98,
          failed: 2,
          success_rate: 0.98,
          last_error: 'The receiver answered 500.',
          date_last_error: '2026-02-03T09:29:55',
          days: [
            { date: '2026-02-02', delivered: 60, failed: 0 },
            { date: '2026-02-03', delivered: 38, failed: 2 },
          ],
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  check: checkSeries,
  async handle({ db, site, nowMs }, input) {
    await requireWebhook(db, input.id);
    const series = seriesOf(input, site, nowMs);
    const rows = await listDays(db, { webhook_id: input.id, ...series });
    const delivered = rows.reduce((sum, day) => sum + day.delivered, 0);
    const failed = rows.reduce((sum, day) => sum + day.failed, 0);
    const last = rows.findLast((day) => day.failed > 0);
    return {
      from: series.from,
      to: series.to,
      delivered,
      failed,
      success_rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
      last_error: last?.last_error ?? '',
      date_last_error: site.calendar.toLocal(last?.last_error_at ?? null),
      days: toPoints(series, ['delivered', 'failed'], rows),
    };
  },
});
