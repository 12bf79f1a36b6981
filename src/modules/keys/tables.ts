import type { Generated } from 'kysely';

export interface ApiKeysTable {
  id: Generated<number>;
  user_id: number;
  description: string;
  key_prefix: string;
  token_hash: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
  }
}
