import type { TableDefinition } from '../../db/tables.ts';

export interface SessionsTable {
  token_hash: string;
  user_id: number;
  created_at: number;
  seen_at: number;
  /** The header User-Agent at the sign-in, without control characters and cut off. */
  user_agent: string;
  /** The network address at the sign-in. */
  address: string;
  /** When the user last proved who it is; 0 for never. */
  proved_at: number;
}

export interface SetupLinksTable {
  token_hash: string;
  expires_at: number;
}

/** Sign-ins that wait for their second step. */
export interface SignInStepsTable {
  token_hash: string;
  user_id: number;
  attempts: number;
  expires_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    sessions: SessionsTable;
    setup_links: SetupLinksTable;
    sign_in_steps: SignInStepsTable;
  }
}

export const tables: readonly TableDefinition[] = [
  { name: 'sessions', key: ['token_hash'] },
  { name: 'setup_links', key: ['token_hash'] },
  { name: 'sign_in_steps', key: ['token_hash'] },
];
