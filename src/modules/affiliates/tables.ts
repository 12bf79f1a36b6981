import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const affiliateStatuses = ['active', 'suspended'] as const;
export type AffiliateStatus = (typeof affiliateStatuses)[number];

export const tables = {
  affiliates: table({
    user_id: integer().key().references('users.id'),
    status: text<AffiliateStatus>(),
    /** What the affiliate entered about itself, JSON. */
    profile: text(),
    parent_id: integer().orNull().references('users.id'),
    registered_at: integer(),
  }).index('by_parent', ['parent_id']),
  affiliate_groups: table({
    user_id: integer().references('users.id'),
    group_id: integer().references('groups.id'),
  })
    .key('user_id', 'group_id')
    .index('by_group', ['group_id']),
  /** What the store has noted about an affiliate. */
  affiliate_notes: table({
    id: id(),
    user_id: integer().references('users.id'),
    /** 0 for the service itself. */
    author_id: integer(),
    text: text(),
    created_at: integer(),
  }).index('by_user', ['user_id', 'id']),
  tags: table({
    id: id(),
    name: text(),
    /** Lower case. */
    name_folded: text().unique(),
  }),
  affiliate_tags: table({
    user_id: integer().references('users.id'),
    tag_id: integer().references('tags.id'),
  })
    .key('user_id', 'tag_id')
    .index('by_tag', ['tag_id', 'user_id']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
