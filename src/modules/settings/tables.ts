import type { TableDefinition } from '../../db/tables.ts';

export interface SettingsTable {
  key: string;
  value: string;
  updated_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    settings: SettingsTable;
  }
}

export const tables: readonly TableDefinition[] = [{ name: 'settings', key: ['key'] }];
