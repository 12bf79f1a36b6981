import type { Generated } from 'kysely';

export interface EventsTable {
  id: Generated<number>;
  kind: string;
  event: string;
  object_id: number;
  user_id: number;
  info: string;
  data: string;
  created_at: number;
  /**
   * 1-based positions among the events of the same kind, name and user. Filtered totals are read from
   * them without COUNT(*).
   */
  kind_ordinal: number;
  event_ordinal: number;
  user_ordinal: number;
}

/**
 * Events that have no position in the feed yet. PostgreSQL only: its transactions do not commit in id
 * order.
 */
export type IncomingEventsTable = Omit<
  EventsTable,
  'kind_ordinal' | 'event_ordinal' | 'user_ordinal'
>;

/** How far each reader of the feed has read. */
export interface CursorsTable {
  name: string;
  position: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    events: EventsTable;
    incoming_events: IncomingEventsTable;
    cursors: CursorsTable;
  }
}
