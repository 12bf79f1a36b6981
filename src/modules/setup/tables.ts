import type { TableDefinition } from '../../db/tables.ts';

export interface SetupLinksTable {
  token_hash: string;
  expires_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    setup_links: SetupLinksTable;
  }
}

export const tables: readonly TableDefinition[] = [{ name: 'setup_links', key: ['token_hash'] }];
