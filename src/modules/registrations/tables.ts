import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

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

export const tables = {
  /** Applications to become an affiliate. */
  registrations: table({
    id: id(),
    user_id: integer().references('users.id'),
    /** The requested code; after acceptance, the assigned code. */
    coupon_code: text(),
    status: text<RegistrationStatus>(),
    type: text(),
    promote: text(),
    referrer: text(),
    website: text(),
    /** A JSON object whose values are text. */
    custom_fields: text(),
    /** The administrator's message with the decision. */
    message: text().default(''),
    created_at: integer(),
    accepted_at: integer().orNull(),
    declined_at: integer().orNull(),
    /** Empty if it was not declined, or declined without a reason. */
    decline_reason: text<DeclineReason | ''>().default(''),
    /** What the team wrote about the decline; the applicant never sees it. */
    decline_note: text().default(''),
    /** Applications with the same value have similar email addresses; see traces.ts. */
    mail_pattern: text().default(''),
    /** The domain of the email address; empty for those of large providers. */
    mail_domain: text().default(''),
    /** The host of the website, or the account on a social network. */
    website_place: text().default(''),
    /** The keyed hash of the network of the applicant; empty if an admin or another server sent the application. */
    network_hash: text().default(''),
    /** The user who decided; null while it is pending, and if it was accepted automatically. */
    decided_by: integer().orNull(),
  })
    .index('by_status', ['status', 'id'])
    .index('by_user', ['user_id', 'id'])
    .index('one_pending', ['user_id'], { unique: true, where: `"status" = 'pending'` })
    .index('by_mail_pattern', ['mail_pattern'])
    .index('by_mail_domain', ['mail_domain'])
    .index('by_website_place', ['website_place'])
    .index('by_network_hash', ['network_hash']),
  /** Messages of the team to applicants. */
  registration_messages: table({
    id: id(),
    registration_id: integer().references('registrations.id'),
    author_id: integer().references('users.id'),
    text: text(),
    created_at: integer(),
  }).index('by_registration', ['registration_id', 'id']),
  /** What applications are found by: words of the applicant's names, the code and the website, one per row. */
  registration_words: table({
    word: text(),
    registration_id: integer(),
  })
    .key('word', 'registration_id')
    .index('by_registration', ['registration_id', 'word']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
