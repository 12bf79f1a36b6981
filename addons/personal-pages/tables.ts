import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';

export const pageStates = ['shown', 'waiting', 'declined'] as const;
/** `shown`: what visitors see. `waiting`, `declined`: what the affiliate wrote last, and the team has not accepted. */
export type PageState = (typeof pageStates)[number];

export const tables = {
  /** Versions of the personal pages of affiliates: at most the shown one and a later one for each. */
  personal_pages: table({
    /** Every version has its own, so that a decision is about exactly what was read. */
    id: id(),
    user_id: integer().references('users.id'),
    state: text<PageState>(),
    /** The name on the page. */
    name: text(),
    text: text(),
    /** The language of the text; empty if it is not known. */
    language: text(),
    file_id: integer().orNull().references('files.id', 'set null'),
    /** Why the team declined it. */
    reason: text(),
    created_at: integer(),
  })
    .index('of_user', ['user_id', 'state'], { unique: true })
    .index('by_state', ['state', 'id'])
    // Deleting a file looks for its page.
    .index('by_file', ['file_id']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
