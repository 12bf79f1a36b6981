import Type from 'typebox';
import type { ReportSection } from '../reports/index.ts';
import { countRegistrations } from './registration-store.ts';

/** What waits for a decision now, whatever the range of the report. */
export const reportPending: ReportSection = {
  fields: {
    pending_registrations: Type.Integer({ description: 'Applications that wait for a decision.' }),
  },
  read: async (db) => ({
    pending_registrations: await countRegistrations(db, { status: 'pending' }),
  }),
};
