import type { FirstStep } from '../overview/index.ts';
import { countAllAffiliates } from './affiliate-store.ts';

export const firstAffiliate: FirstStep = {
  name: 'affiliate',
  title: 'Add the first affiliate',
  isDone: async (db, site) => (await countAllAffiliates(db, site)) > 0,
};
