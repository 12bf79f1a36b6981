import type { Generated } from 'kysely';

export const registrationStatuses = ['pending', 'accepted', 'declined'] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Each has a sentence for the applicant in every language. */
export const declineReasons = [
  'incomplete',
  'not_a_fit',
  'small_audience',
  'content',
  'duplicate',
  'full',
  'other',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** Applications to become an affiliate. */
export interface RegistrationsTable {
  id: Generated<number>;
  user_id: number;
  /** The requested code; after acceptance, the assigned code. */
  coupon_code: string;
  status: RegistrationStatus;
  type: string;
  promote: string;
  referrer: string;
  website: string;
  /** A JSON object whose values are text. */
  custom_fields: string;
  /** The administrator's message with the decision. */
  message: Generated<string>;
  created_at: number;
  accepted_at: number | null;
  declined_at: number | null;
  /** Empty if it was not declined, or declined without a reason. */
  decline_reason: Generated<DeclineReason | ''>;
  /** What the team wrote about the decline; the applicant never sees it. */
  decline_note: Generated<string>;
  /** The user who decided; null while it is pending, and if it was accepted automatically. */
  decided_by: Generated<number | null>;
  /** Applications with the same value have similar e-mail addresses; see traces.ts. */
  mail_pattern: Generated<string>;
  /** The domain of the e-mail address; empty for those of large providers. */
  mail_domain: Generated<string>;
  /** The host of the website, or the account on a social network. */
  website_place: Generated<string>;
  /** The keyed hash of the network of the applicant; empty if an admin or another server sent the application. */
  network_hash: Generated<string>;
}

/** Messages of the team to applicants. */
export interface RegistrationMessagesTable {
  id: Generated<number>;
  registration_id: number;
  author_id: number;
  text: string;
  created_at: number;
}

/** What applications are found by: words of the applicant's names, the code and the website, one per row. */
export interface RegistrationWordsTable {
  word: string;
  registration_id: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    registrations: RegistrationsTable;
    registration_messages: RegistrationMessagesTable;
    registration_words: RegistrationWordsTable;
  }
}
