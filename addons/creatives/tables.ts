import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';

export const creativeKinds = ['link', 'image', 'text', 'file', 'email'] as const;
export type CreativeKind = (typeof creativeKinds)[number];

export const tables = {
  /** What affiliates find to share. At most 1,000. */
  creatives: table({
    id: id(),
    kind: text<CreativeKind>(),
    name: text(),
    category: text(),
    description: text(),
    /** A language code; empty for all. */
    language: text(),
    /** What an image shows, for people who do not see it. */
    alt: text(),
    text: text(),
    /** The page of the store that links lead to; empty for its front page. */
    url: text(),
    file_id: integer().orNull().references('files.id', 'set null'),
    /** `all` affiliates see it, or `some`: the members of its groups, and its affiliates. */
    audience: text<'all' | 'some'>(),
    /** The days on which it is shown, both included; empty without a limit. */
    from_day: text(),
    to_day: text(),
    created_at: integer(),
    updated_at: integer(),
  })
    // Deleting a file looks for its creative.
    .index('by_file', ['file_id']),
  creative_groups: table({
    creative_id: integer().references('creatives.id', 'cascade'),
    group_id: integer().references('groups.id'),
  }).key('creative_id', 'group_id'),
  creative_affiliates: table({
    creative_id: integer().references('creatives.id', 'cascade'),
    user_id: integer().references('users.id'),
  })
    .key('creative_id', 'user_id')
    .index('by_user', ['user_id', 'creative_id']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
