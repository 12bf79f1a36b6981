import type { Generated } from 'kysely';

export interface ApplicationPasswordsTable {
  id: Generated<number>;
  user_id: number;
  description: string;
  password_hash: string;
  created_at: number;
  revoked_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    application_passwords: ApplicationPasswordsTable;
  }
}
