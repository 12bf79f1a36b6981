import assert from 'node:assert/strict';
import type { AddonFacts } from '../../../test/support/addon-facts.ts';

const LOOK = 'how something looks or is named';

export const facts: AddonFacts = {
  switchedOnBy: 'leaderboard.enabled',
  personalColumns: {
    leaderboard_names: { user_id: 'account.id', agreed_at: 'leaderboard.agreed_at' },
  },
  async fillPerson(send, userId) {
    await send('PUT', `/affiliates/${userId}/leaderboard`, { named: true });
  },
  withoutProof: { 'PUT /svc/store/v1/affiliates/{id}/leaderboard': 'no money and no secret' },
  settingsWithoutProof: {
    'leaderboard.by': LOOK,
    'leaderboard.enabled': LOOK,
    'leaderboard.others': LOOK,
    'leaderboard.period': LOOK,
    'leaderboard.places': LOOK,
  },
  readsOthers: { '/leaderboard': 'what others earn is what it shows' },
  consoleGuides: { '/console/settings?group=leaderboard': 'leaderboard' },
  async assertInDemo(read) {
    const text = await read('/leaderboard');
    const { places, own } = JSON.parse(text) as {
      places: { name: string | null }[];
      own: { named: boolean };
    };
    assert.equal(places.length, 10);
    assert.ok(own.named);
    const named = places.filter(({ name }) => name !== null).length;
    assert.ok(named > 0 && named < 10, text);
  },
};
