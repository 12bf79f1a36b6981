import { integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  /** One row while mails about earnings are switched on: what they cover, and how far a run has come. */
  earned_mails: table({
    id: integer().key(),
    /** When they were switched on. Orders from before are history, also if they are imported later. */
    started_at: integer(),
    /** The next mails cover what was earned from here on. */
    since: integer(),
    /** A run is under way, and covers what was earned until then. */
    until: integer().orNull(),
    /** The affiliates up to this one have their mail of the run. */
    after_user: integer(),
  }),
  /** One row while report mails are switched on: which period is done, and how far a run has come. */
  report_mails: table({
    id: integer().key(),
    interval: text(),
    /** The last day of the period whose mails are done, or that ended before the setting was changed. */
    done_to: text(),
    /** The last day of the period whose mails are under way. */
    run_to: text().orNull(),
    /** The affiliates up to this one have their mail of that period. */
    after_user: integer(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
