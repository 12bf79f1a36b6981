import type { Generated } from 'kysely';

export const linkPurposes = ['invitation', 'reset', 'email', 'sign-in'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** Links that work once. Ended ones stay for a day, because the number of mails per day is limited. */
export interface AccountLinksTable {
  token_hash: string;
  user_id: number;
  purpose: LinkPurpose;
  /** The new e-mail address of a link that confirms one; otherwise empty. */
  data: string;
  /** A keyed hash of the network that asked for it, if any caller can; otherwise empty. */
  network_hash: Generated<string>;
  created_at: number;
  expires_at: number;
  /** When the link was used or replaced, or the password changed; null while it works. */
  ended_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    account_links: AccountLinksTable;
  }
}
