import type { Generated } from 'kysely';

export interface TotpSecretsTable {
  user_id: number;
  /** Encrypted. */
  secret: string;
  /** Null until the user has entered a first code. */
  confirmed_at: number | null;
  /** The time step of the last accepted code: each code is accepted once. */
  last_step: number;
  created_at: number;
}

/** A code that has been used is deleted. */
export interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
}

export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** base64url, as browsers send it. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** The signature counter of the authenticator; 0 for the many that do not count. */
  counter: number;
  /** JSON array. */
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

/** A challenge is deleted when it is used. */
export interface PasskeyChallengesTable {
  challenge_hash: string;
  /** The user who registers a passkey; 0 for a sign-in, whose user is not known yet. */
  user_id: number;
  expires_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    totp_secrets: TotpSecretsTable;
    recovery_codes: RecoveryCodesTable;
    passkeys: PasskeysTable;
    passkey_challenges: PasskeyChallengesTable;
  }
}
