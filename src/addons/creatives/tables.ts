import type { Generated } from 'kysely';

export const creativeKinds = ['link', 'image', 'text', 'file', 'email'] as const;
export type CreativeKind = (typeof creativeKinds)[number];

/** What affiliates find to share. At most 1,000. */
export interface CreativesTable {
  id: Generated<number>;
  kind: CreativeKind;
  name: string;
  category: string;
  description: string;
  /** A language code; empty for all. */
  language: string;
  /** What an image shows, for people who do not see it. */
  alt: string;
  text: string;
  /** The page of the store that links lead to; empty for its front page. */
  url: string;
  file_id: number | null;
  /** `all` affiliates see it, or `some`: the members of its groups, and its affiliates. */
  audience: 'all' | 'some';
  /** The days on which it is shown, both included; empty without a limit. */
  from_day: string;
  to_day: string;
  created_at: number;
  updated_at: number;
}

export interface CreativeGroupsTable {
  creative_id: number;
  group_id: number;
}

export interface CreativeAffiliatesTable {
  creative_id: number;
  user_id: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    creatives: CreativesTable;
    creative_groups: CreativeGroupsTable;
    creative_affiliates: CreativeAffiliatesTable;
  }
}
