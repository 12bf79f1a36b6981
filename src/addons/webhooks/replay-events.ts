import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { fanOutPosition, setReplay } from './delivery/fan-out-store.ts';
import { requireActive, webhookIsDisabled } from './redeliver.ts';
import { requireWebhook } from './require-webhook.ts';
import { lockWebhook } from './webhook-store.ts';

export const replayEvents = operation({
  method: 'POST',
  namespace: 'store',
  path: '/webhooks/{id}/replay',
  summary: 'Send all events after a position of the feed again',
  description:
    'Those that the webhook is subscribed to now, also from before it was made or while it was ' +
    'disabled. Each comes under the same `webhook-id` as ever. It goes on in the background.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  body: Type.Object(
    {
      after: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The id of an event: those after it are sent. 0 for all.',
      }),
    },
    { $id: 'ReplayEvents' },
  ),
  example: { body: { after: 57 } },
  response: Type.Object(
    {
      after: Type.Integer({ description: 'As it was sent.' }),
      until: Type.Integer({
        description: 'The last event that is sent again; later ones come anyway.',
      }),
    },
    { $id: 'Replay', examples: [{ after: 57, until: 75 }] },
  ),
  errors: [generalErrors.notFound, webhookIsDisabled],
  async handle({ db }, { id, after }) {
    await lockWebhook(db, id);
    const webhook = await requireWebhook(db, id);
    requireActive(webhook);
    // What is behind the cursor has no deliveries yet and gets them in its turn.
    const until = (await fanOutPosition(db)) ?? webhook.from_event;
    // One that is under way already goes on: the earlier position has it all.
    const from = Math.min(after, webhook.replay_after ?? after);
    await setReplay(db, id, from, until);
    return { after, until };
  },
});
