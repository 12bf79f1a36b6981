import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

const facts = {
  id: id(),
  kind: text(),
  event: text(),
  object_id: integer(),
  user_id: integer(),
  info: text(),
  data: text(),
  created_at: integer(),
};

export const tables = {
  events: table({
    ...facts,
    /**
     * 1-based positions among the events of the same kind, name and user. Filtered totals are read from
     * them without COUNT(*).
     */
    kind_ordinal: integer(),
    event_ordinal: integer(),
    user_ordinal: integer(),
  })
    .index('by_kind', ['kind', 'id', 'kind_ordinal'])
    .index('by_event', ['event', 'id', 'event_ordinal'])
    .index('by_user', ['user_id', 'id', 'user_ordinal'])
    .index('by_object', ['kind', 'object_id', 'id'])
    .index('restricted', ['user_id', 'id'], {
      where: "kind in ('access', 'account', 'session', 'team', 'two_factor')",
    }),
  /** Events that have no position in the feed yet, where transactions do not commit in id order. */
  incoming_events: table(facts).onlyIf((dialect) => !dialect.commitsInIdOrder),
  /** How far each reader of the feed has read. */
  cursors: table({
    name: text().key(),
    position: integer(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
