import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';
import { deliveryColumns, receiverColumns } from '../../src/modules/deliveries/index.ts';

/** The names that the engine of deliveries needs. */
export const postbackTables = {
  receivers: 'postbacks',
  deliveries: 'postback_deliveries',
  receiverId: 'postback_id',
  position: 'id',
} as const;

/** What can happen to an order of an affiliate. */
export const orderChanges = ['created', 'granted', 'changed', 'reversed'] as const;
export type OrderChangeName = (typeof orderChanges)[number];

export const formats = ['macros', 'json'] as const;
export const methods = ['GET', 'POST'] as const;

export const tables = {
  /** Addresses of affiliates that are called when one of their orders changes. */
  postbacks: table({
    id: id(),
    /** With macros such as `{order}`. */
    url: text(),
    ...receiverColumns,
    user_id: integer().references('users.id'),
    method: text<(typeof methods)[number]>(),
    format: text<(typeof formats)[number]>(),
    /** JSON array of changes. */
    events: text(),
    /** The signing secret, encrypted; empty if the format has none, or once the postback is deleted. */
    secret: text(),
    /** The newest event when it was created or switched on: later events are sent. */
    from_event: integer(),
    /** While it is behind the others because a replay was requested: events after this one follow. */
    replay_after: integer().orNull(),
    created_at: integer(),
  })
    .index('by_user', ['user_id', 'id'])
    .index('by_status', ['status', 'failing_since'])
    .index('replaying', ['id'], { where: 'replay_after is not null' }),
  /** One change of an order to send to one postback. Those of an order are sent one after the other, by their ids. */
  postback_deliveries: table({
    id: id(),
    ...deliveryColumns,
    /** Null while an earlier one of its order is pending, too. */
    due_at: deliveryColumns.due_at,
    postback_id: integer().references('postbacks.id'),
    order_id: integer(),
    event_id: integer(),
    event: text<OrderChangeName>(),
    /** The values of the macros, JSON: the same for every attempt, whatever becomes of the order. */
    data: text(),
    occurred_at: integer(),
  })
    .index('by_postback', ['postback_id', 'id'])
    .index('due', ['postback_id', 'due_at', 'id'], { where: 'due_at is not null' })
    // Finds what of an order is to be sent next; what was sent costs nothing here.
    .index('pending', ['postback_id', 'order_id', 'id'], { where: "state = 'pending'" })
    .index('by_age', ['queued_at']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
