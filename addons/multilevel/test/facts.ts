import type { AddonFacts } from '../../../test/support/addon-facts.ts';

export const facts: AddonFacts = {
  personalColumns: { mla_shares: 'the ledger has an entry for each' },
  growthCases: {
    'PUT /svc/store/v1/affiliates/{id}/parent': (row) => ({ json: { parent_id: row + 1 } }),
  },
  repeatsOnPostgres: [
    'addons/multilevel/test/multilevel.test.ts',
    'addons/multilevel/test/upline-figures.test.ts',
  ],
};
