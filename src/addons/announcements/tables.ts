import type { Generated } from 'kysely';

export const announcementStates = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'sent',
  'cancelled',
  'series',
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
  /** When the person saw it in the portal; null before. */
  read_at: Generated<number | null>;
}

/** What makes an affiliate enter a series. */
export const seriesStarts = ['accepted', 'first_order', 'idle', 'step_reached'] as const;
export type SeriesStart = (typeof seriesStarts)[number];

export interface SeriesTable {
  id: Generated<number>;
  name: string;
  starts_on: SeriesStart;
  /** For `idle`: the days without an order. */
  idle_days: number | null;
  /** 1 if an order ends it. */
  ends_on_order: number;
  active: number;
  /** What happened before concerns no person in it. */
  activated_at: number | null;
  /** For `idle`: JSON of the `IdlePosition` up to which affiliates were looked at. */
  position: Generated<string>;
  /** After a change of the steps: JSON of the last member that has its next date; null once all have. */
  replan: string | null;
  /** Counts of its members. */
  entered: Generated<number>;
  completed: Generated<number>;
  left_early: Generated<number>;
  removed_at: number | null;
  created_at: number;
  created_by: number;
}

/** A step is an announcement in the state `series`, sent to one person at a time: so each person gets it once. */
export interface SeriesStepsTable {
  announcement_id: number;
  series_id: number;
  /** Days after a person entered; no two steps of a series have the same. */
  after_days: number;
  removed_at: number | null;
}

export const memberStates = ['waiting', 'completed', 'left'] as const;
export type MemberState = (typeof memberStates)[number];

export const leaveReasons = ['order', 'suspended', 'late', 'team', 'erased'] as const;
export type LeaveReason = (typeof leaveReasons)[number];

/** The people in a series, also after they have left it: each person enters once. */
export interface SeriesMembersTable {
  series_id: number;
  user_id: number;
  state: MemberState;
  reason: LeaveReason | '';
  entered_at: number;
  /** When the next step is looked at; null if there is none. */
  due_at: number | null;
  /** `after_days` of the last step that is behind the person; -1 before the first. */
  days: number;
  ended_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    announcements: AnnouncementsTable;
    announcement_receivers: AnnouncementReceiversTable;
    series: SeriesTable;
    series_steps: SeriesStepsTable;
    series_members: SeriesMembersTable;
  }
}
