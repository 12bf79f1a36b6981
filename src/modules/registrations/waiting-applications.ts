import type { Need } from '../overview/index.ts';
import { countRegistrations } from './registration-store.ts';

export const waitingApplications: Need = {
  name: 'applications',
  title: 'Applications to decide',
  access: 'admin',
  read: async (db) => ({ count: await countRegistrations(db, { status: 'pending' }) }),
};
