import type { TableDefinition } from '../../db/tables.ts';

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

declare module '../../db/tables.ts' {
  interface Tables {
    affiliates: AffiliatesTable;
    affiliate_groups: AffiliateGroupsTable;
  }
}

export const tables: readonly TableDefinition[] = [
  { name: 'affiliates', key: ['user_id'] },
  { name: 'affiliate_groups', key: ['user_id', 'group_id'] },
];
