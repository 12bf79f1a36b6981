import type { Generated } from 'kysely';

/** Reports that people keep under a name, each for itself. */
export interface ReportViewsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** The query of the screen's address: period, grouping, filters, order. */
  query: string;
}

declare module '../../db/tables.ts' {
  interface Tables {
    report_views: ReportViewsTable;
  }
}
