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

/** Sign-ins that wait for their second step. */
export interface SignInStepsTable {
  token_hash: string;
  user_id: number;
  attempts: number;
  expires_at: number;
}

/** Attempts to sign in, by account, browser or network. */
export interface SignInAttemptsTable {
  /** A keyed hash. */
  key: string;
  /** Attempts since the last right password. */
  failures: number;
  /** Until then the next attempt is refused. */
  free_at: number;
  seen_at: number;
  /** 1 for a network at which the account has signed in. */
  known: 0 | 1;
}

declare module '../../db/tables.ts' {
  interface Tables {
    sessions: SessionsTable;
    sign_in_steps: SignInStepsTable;
    sign_in_attempts: SignInAttemptsTable;
  }
}
