import type { Generated } from 'kysely';

export interface SettingsTable {
  key: string;
  value: string;
  updated_at: number;
  /** The user who changed it; 0 is the system. */
  updated_by: Generated<number>;
  /** Higher than that of every change before, of any setting. */
  version: Generated<number>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    settings: SettingsTable;
  }
}
