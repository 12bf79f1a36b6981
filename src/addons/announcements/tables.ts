import type { Generated } from 'kysely';

export const announcementStates = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'sent',
  'cancelled',
] as const;
export type AnnouncementState = (typeof announcementStates)[number];

export const receiverStates = [
  'queued',
  'sent',
  'failed',
  'unknown',
  'muted',
  'shown',
  'cancelled',
] as const;
export type ReceiverState = (typeof receiverStates)[number];

export interface AnnouncementsTable {
  id: Generated<number>;
  state: AnnouncementState;
  /** JSON of the texts by language. */
  texts: string;
  /** JSON of the `Segment`. */
  segment: string;
  /** 1 if it is sent by mail. */
  by_mail: number;
  /** 1 if it is shown in the portal. */
  in_portal: number;
  send_at: number | null;
  created_at: number;
  created_by: number;
  started_at: number | null;
  ended_at: number | null;
  /** All members of the segment up to this user have been added to the receivers; null once all have. */
  position: number | null;
  /** Counts of its receivers, by state. */
  receivers: Generated<number>;
  queued: Generated<number>;
  sent: Generated<number>;
  failed: Generated<number>;
  unknown: Generated<number>;
  muted: Generated<number>;
  /** People who unsubscribed with the link of its mail. */
  unsubscribed: Generated<number>;
}

/** The receivers of an announcement: each person once. */
export interface AnnouncementReceiversTable {
  announcement_id: number;
  user_id: number;
  state: ReceiverState;
  /** The reply of the mail server, if the mail failed. */
  error: string;
  updated_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    announcements: AnnouncementsTable;
    announcement_receivers: AnnouncementReceiversTable;
  }
}
