import type { Case } from '../../../test/growth/request.ts';
import type { AddonFacts } from '../../../test/support/addon-facts.ts';

const STORE = '/svc/store/v1';
const TEXT = 'a text or a picture; no money and no secret';

const creative: Case = async (_row, store) => {
  const json = { kind: 'link', name: 'Shoes' };
  const { body } = await store.call(`${STORE}/creatives`, { method: 'POST', json });
  return { params: { id: (body as { id: number }).id } };
};

export const facts: AddonFacts = {
  personalColumns: {
    creative_affiliates: { creative_id: 'creatives.creative_id', user_id: 'account.id' },
    creative_groups: 'of the store',
    creatives: 'of the store',
  },
  async fillPerson(send, userId) {
    await send('POST', '/creatives', { kind: 'link', name: 'For Maya', affiliates: [userId] });
  },
  withoutProof: {
    'POST /svc/store/v1/creatives': TEXT,
    'DELETE /svc/store/v1/creatives/{id}': TEXT,
    'PATCH /svc/store/v1/creatives/{id}': TEXT,
  },
  screens: { portal: ['/app/links?tab=material'], console: ['/console/creatives'] },
  consoleGuides: { '/console/creatives': 'creatives' },
  guidesWithoutScreen: { 'creatives-api': '/help/creatives' },
  posts: {
    'store:post_creatives': {
      'a text': (fresh) => ({ json: { kind: 'text', name: fresh('text'), text: 'Look: {link}' } }),
    },
  },
  notFilled: {
    creative_affiliates: 'at most 200 rows for each creative',
    creative_groups: 'at most 50 rows for each creative',
    creatives: 'one row for each creative, made by an administrator; at most 1,000',
  },
  growthCases: {
    'DELETE /svc/store/v1/creatives/{id}': creative,
    'PATCH /svc/store/v1/creatives/{id}': async (row, store) => ({
      ...(await creative(row, store)),
      json: { category: 'Summer' },
    }),
  },
};
