import type { AddonFacts, Scenario } from '../../../test/support/addon-facts.ts';
import type { Reply } from '../../../test/support/harness.ts';
import { idOf } from '../../../test/support/people.ts';

const POSTBACKS = '/svc/store/v1/affiliates/{id}/postbacks';
const NOTHING_STORED = 'tries or previews, and stores nothing';
const FIGURE = 'about the working of the service';

/** Nothing listens there. */
const newPostback = { url: 'http://127.0.0.1:9/{order}', events: ['created'] };
const preview = { url: newPostback.url, method: 'GET', format: 'macros' };

/** Each affiliate may have a few only. */
async function stored(
  send: (method: string, path: string, json?: object) => Promise<Reply>,
): Promise<Scenario> {
  const id = idOf('tomas');
  const path = `/affiliates/${id}/postbacks`;
  const { body: old } = await send('GET', path);
  for (const { id: one } of old) await send('DELETE', `${path}/${one}`);
  const { body } = await send('POST', path, newPostback);
  return { values: { id, postback_id: body.id } };
}

export const facts: AddonFacts = {
  sendsHereBy: 'postbacks.allow_private',
  personalColumns: {
    postback_deliveries: 'the orders of the person, which are exported, as they were sent',
    postbacks: {
      id: 'postbacks.id',
      user_id: 'account.id',
      url: 'postbacks.url',
      method: 'postbacks.method',
      format: 'postbacks.format',
      events: 'postbacks.events',
      secret: 'a secret or its hash',
      status: 'postbacks.status',
      failures: FIGURE,
      failing_since: 'postbacks.failing_since',
      paused_until: FIGURE,
      last_delivery_at: 'postbacks.last_delivery_at',
      last_error: 'postbacks.last_error',
      from_event: FIGURE,
      replay_after: FIGURE,
      created_at: 'postbacks.created_at',
    },
  },
  async fillPerson(send, userId) {
    const json = { url: 'https://tracker.invalid/{order}', events: ['created'] };
    await send('POST', `/affiliates/${userId}/postbacks`, json);
  },
  withoutProof: {
    [`POST ${POSTBACKS}/preview`]: NOTHING_STORED,
    [`DELETE ${POSTBACKS}/{postback_id}`]: 'ends a receiver, and gives nothing',
    [`POST ${POSTBACKS}/{postback_id}/preview`]: NOTHING_STORED,
    [`POST ${POSTBACKS}/{postback_id}/replay`]:
      'sends to a receiver whose registration asked for a proof',
  },
  asksForProof: {
    'a postback': [`/svc/store/v1/affiliates/${idOf('maya')}/postbacks`, newPostback],
  },
  screens: { portal: ['/app/postbacks', '/app/postbacks?open=new'] },
  portalGuides: { '/app/postbacks': 'postbacks' },
  guidesWithoutScreen: { 'postbacks-api': '/help/postbacks' },
  posts: {
    'store:post_affiliates_id_postbacks': {
      'a postback': () => ({ values: { id: idOf('maya') }, json: newPostback }),
    },
    'store:post_affiliates_id_postbacks_preview': {
      'a new postback': () => ({ values: { id: idOf('maya') }, json: preview }),
    },
    'store:post_affiliates_id_postbacks_postback_id_preview': {
      'a postback': (_fresh, send) => stored(send),
    },
    'store:post_affiliates_id_postbacks_postback_id_replay': {
      yesterday: async (_fresh, send) => ({
        ...(await stored(send)),
        json: { from: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) },
      }),
    },
  },
  filledWith: {
    'postback_deliveries.data': `'{}'`,
    'postback_deliveries.event': `case when i % 50 = 0 then 'granted' else 'created' end`,
    'postback_deliveries.state': `case when i % 50 = 0 then 'failed' else 'delivered' end`,
    'postbacks.events': `'["created"]'`,
    'postbacks.format': `'macros'`,
    'postbacks.method': `'GET'`,
    'postbacks.secret': `''`,
    'postbacks.status': `case when i % 50 = 0 then 'disabled' else 'active' end`,
    'postbacks.url': `'https://tracker.invalid/'`,
  },
  growthCases: {
    [`POST ${POSTBACKS}`]: () => ({ json: newPostback }),
    [`POST ${POSTBACKS}/preview`]: () => ({ json: preview }),
    [`POST ${POSTBACKS}/{postback_id}/replay`]: (_row, { app }) => ({
      json: { from: app.site.calendar.dayOf(app.site.clock()) },
    }),
    [`PATCH ${POSTBACKS}/{postback_id}`]: () => ({ json: { active: true } }),
  },
  grows: {
    'job postbacks.deliver': {
      stepsPerRow: 1,
      because: 'reads up to 600 events at a time, which the small store does not have',
    },
  },
};
