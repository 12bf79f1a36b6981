import type { DeliveryColumns, ReceiverColumns } from '../../modules/deliveries/index.ts';

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

/** Addresses of affiliates that are called when one of their orders changes. */
export interface PostbacksTable extends ReceiverColumns {
  user_id: number;
  /** With macros such as `{order}`. */
  url: string;
  method: (typeof methods)[number];
  format: (typeof formats)[number];
  /** JSON array of changes. */
  events: string;
  /** The signing secret, encrypted; empty if the format has none, or once the postback is deleted. */
  secret: string;
  /** The newest event when it was created or switched on: later events are sent. */
  from_event: number;
  /** While it is behind the others because a replay was requested: events after this one follow. */
  replay_after: number | null;
  created_at: number;
}

/** One change of an order to send to one postback. Those of an order are sent one after the other, by their ids. */
export interface PostbackDeliveriesTable extends DeliveryColumns {
  postback_id: number;
  order_id: number;
  event_id: number;
  event: OrderChangeName;
  /** The values of the macros, JSON: the same for every attempt, whatever becomes of the order. */
  data: string;
  occurred_at: number;
  /** Null while an earlier one of its order is pending, too. */
  due_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    postbacks: PostbacksTable;
    postback_deliveries: PostbackDeliveriesTable;
  }
}
