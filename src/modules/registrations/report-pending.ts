import Type from 'typebox';
import type { ReportSection } from '../reports/index.ts';
import { countRegistrations } from './registration-store.ts';

/** Counts applications that are pending now, regardless of the report's date range. */
export const reportPending: ReportSection = {
  fields: {
    pending_registrations: Type.Integer({
      description: 'Number of applications waiting for a decision.',
    }),
  },
  read: async (db) => ({
    pending_registrations: await countRegistrations(db, { status: 'pending' }),
  }),
};
