import type { AddonFacts, Scenario } from '../../../test/support/addon-facts.ts';
import { idOf } from '../../../test/support/people.ts';

const TEXT = 'a text or a picture; no money and no secret';
const LOOK = 'how something looks or is named';

type Send = (method: string, path: string, json: object) => Promise<{ body: any }>;

/** Shown, because the team wrote it. */
async function shownPage(send: Send): Promise<Scenario> {
  const path = `/affiliates/${idOf('maya')}/personal-page`;
  const { body } = await send('PUT', path, { name: 'Maya', text: 'Hello' });
  return { values: { id: body.shown.id } };
}

export const facts: AddonFacts = {
  switchedOnBy: 'personal_pages.enabled',
  personalColumns: {
    personal_pages: {
      id: 'personal_pages.id',
      user_id: 'account.id',
      state: 'personal_pages.state',
      name: 'personal_pages.name',
      text: 'personal_pages.text',
      language: 'personal_pages.language',
      file_id: 'personal_pages.file_id',
      reason: 'personal_pages.reason',
      created_at: 'personal_pages.created_at',
    },
  },
  async fillPerson(send, userId) {
    await send('PUT', `/affiliates/${userId}/personal-page`, { name: 'Maya', text: 'Hello' });
  },
  withoutProof: {
    'DELETE /svc/store/v1/affiliates/{id}/personal-page': TEXT,
    'PUT /svc/store/v1/affiliates/{id}/personal-page': TEXT,
    'POST /svc/store/v1/personal-pages/{id}/accept': TEXT,
    'POST /svc/store/v1/personal-pages/{id}/decline': TEXT,
  },
  settingsWithoutProof: { 'personal_pages.enabled': LOOK, 'personal_pages.review': LOOK },
  screens: { portal: ['/app/links?tab=page'], console: ['/console/personal-pages'] },
  consoleGuides: { '/console/personal-pages': 'personal-pages' },
  guidesWithoutScreen: { 'personal-pages-api': '/help/personal-pages' },
  posts: {
    'store:post_personal-pages_id_accept': { 'a page': (_fresh, send) => shownPage(send) },
    'store:post_personal-pages_id_decline': {
      'a page': async (_fresh, send) => ({ ...(await shownPage(send)), json: { reason: 'Once' } }),
    },
  },
  filledWith: ({ first }) => ({
    'personal_pages.file_id': 'null',
    'personal_pages.language': `''`,
    'personal_pages.state': first("'waiting'", "'shown'"),
  }),
  growthCases: {
    'GET /svc/store/v1/personal-pages/{id}/picture': () => ({ refusal: 404 }),
    'POST /svc/store/v1/personal-pages/{id}/decline': () => ({ json: { reason: '' } }),
    'PUT /svc/store/v1/affiliates/{id}/personal-page': () => ({ json: { name: 'Maya', text: '' } }),
  },
};
