import type { Generated } from 'kysely';

export const pageStates = ['shown', 'waiting', 'declined'] as const;
/** `shown`: what visitors see. `waiting`, `declined`: what the affiliate wrote last, and the team has not accepted. */
export type PageState = (typeof pageStates)[number];

/** Versions of the personal pages of affiliates: at most the shown one and a later one for each. */
export interface PersonalPagesTable {
  /** Every version has its own, so that a decision is about exactly what was read. */
  id: Generated<number>;
  user_id: number;
  state: PageState;
  /** The name on the page. */
  name: string;
  text: string;
  /** The language of the text; empty if it is not known. */
  language: string;
  file_id: number | null;
  /** Why the team declined it. */
  reason: string;
  created_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    personal_pages: PersonalPagesTable;
  }
}
