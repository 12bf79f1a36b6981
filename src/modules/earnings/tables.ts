/** One row while mails about earnings are switched on: what they cover, and how far a run has come. */
export interface EarnedMailsTable {
  id: number;
  /** When they were switched on. Orders from before are history, also if they are imported later. */
  started_at: number;
  /** The next mails cover what was earned from here on. */
  since: number;
  /** A run is under way, and covers what was earned until then. */
  until: number | null;
  /** The affiliates up to this one have their mail of the run. */
  after_user: number;
}

/** One row while report mails are switched on: which period is done, and how far a run has come. */
export interface ReportMailsTable {
  id: number;
  interval: string;
  /** The last day of the period whose mails are done, or that ended before the setting was changed. */
  done_to: string;
  /** The last day of the period whose mails are under way. */
  run_to: string | null;
  /** The affiliates up to this one have their mail of that period. */
  after_user: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    earned_mails: EarnedMailsTable;
    report_mails: ReportMailsTable;
  }
}
