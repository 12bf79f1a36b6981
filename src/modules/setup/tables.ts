export interface SetupLinksTable {
  token_hash: string;
  expires_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    setup_links: SetupLinksTable;
  }
}
