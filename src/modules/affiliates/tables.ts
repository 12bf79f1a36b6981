import type { Generated } from 'kysely';

export const affiliateStatuses = ['active', 'suspended'] as const;
export type AffiliateStatus = (typeof affiliateStatuses)[number];

export interface AffiliatesTable {
  user_id: number;
  status: AffiliateStatus;
  /** What the affiliate entered about itself, JSON. */
  profile: string;
  parent_id: number | null;
  registered_at: number;
}

export interface AffiliateGroupsTable {
  user_id: number;
  group_id: number;
}

/** What the store has noted about an affiliate. */
export interface AffiliateNotesTable {
  id: Generated<number>;
  user_id: number;
  /** 0 for the service itself. */
  author_id: number;
  text: string;
  created_at: number;
}

export interface TagsTable {
  id: Generated<number>;
  name: string;
  /** Lower case. */
  name_folded: string;
}

export interface AffiliateTagsTable {
  user_id: number;
  tag_id: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    affiliates: AffiliatesTable;
    affiliate_groups: AffiliateGroupsTable;
    affiliate_notes: AffiliateNotesTable;
    tags: TagsTable;
    affiliate_tags: AffiliateTagsTable;
  }
}
