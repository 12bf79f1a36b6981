import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { fanOutCursor, setReplay } from '../delivery/fan-out-rows.ts';
import { lockWebhook, requireWebhook } from '../webhook/webhook-rows.ts';
import { requireActive, webhookIsDisabled } from './redeliver.ts';

export const replayEvents = operation({
  method: 'POST',
  namespace: 'store',
  path: '/webhooks/{id}/replay',
  summary: 'Replay all events after a position in the feed',
  description:
    'Sends all events that the webhook is subscribed to now, including those from before it was ' +
    'created or while it was disabled. Each keeps its `webhook-id`. The replay runs in the background.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  body: Type.Object(
    {
      after: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The id of the event to start after; 0 for all events.',
      }),
    },
    { $id: 'ReplayEvents' },
  ),
  example: { body: { after: 57 } },
  response: Type.Object(
    {
      after: Type.Integer({ description: 'The requested position.' }),
      until: Type.Integer({
        description: 'The last event of the replay. Later events are delivered as usual.',
      }),
    },
    { $id: 'Replay', examples: [{ after: 57, until: 75 }] },
  ),
  errors: [generalErrors.notFound, webhookIsDisabled],
  async handle({ db }, { id, after }) {
    await lockWebhook(db, id);
    const webhook = await requireWebhook(db, id);
    requireActive(webhook);
    // Events after the cursor have no deliveries yet; the fan-out creates them.
    const until = (await fanOutCursor.position(db)) ?? webhook.from_event;
    // A running replay continues from the earlier of the two positions.
    const from = Math.min(after, webhook.replay_after ?? after);
    await setReplay(db, { id, after: from, until });
    return { after, until };
  },
});
