import { integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const linkPurposes = ['invitation', 'reset', 'email', 'sign-in'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const tables = {
  /** Links that work once. Ended ones stay for a day, because the number of mails per day is limited. */
  account_links: table({
    token_hash: text().key(),
    user_id: integer().references('users.id'),
    purpose: text<LinkPurpose>(),
    /** The new email address of a link that confirms one; otherwise empty. */
    data: text(),
    created_at: integer(),
    expires_at: integer(),
    /** When the link was used or replaced, or the password changed; null while it works. */
    ended_at: integer().orNull(),
    /** A keyed hash of the network that asked for it, if any caller can; otherwise empty. */
    network_hash: text().default(''),
  })
    .index('by_user', ['user_id', 'purpose', 'created_at'])
    .index('by_expiry', ['expires_at']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
