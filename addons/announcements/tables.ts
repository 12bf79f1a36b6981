import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';

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

/** What makes an affiliate enter a series. */
export const seriesStarts = ['accepted', 'first_order', 'idle', 'step_reached'] as const;
export type SeriesStart = (typeof seriesStarts)[number];

export const memberStates = ['waiting', 'completed', 'left'] as const;
export type MemberState = (typeof memberStates)[number];

export const leaveReasons = ['order', 'suspended', 'late', 'team', 'erased'] as const;
export type LeaveReason = (typeof leaveReasons)[number];

export const tables = {
  announcements: table({
    id: id(),
    state: text<AnnouncementState>(),
    /** JSON of the texts by language. */
    texts: text(),
    /** JSON of the `Segment`. */
    segment: text(),
    /** 1 if it is sent by mail. */
    by_mail: integer(),
    /** 1 if it is shown in the portal. */
    in_portal: integer(),
    send_at: integer().orNull(),
    created_at: integer(),
    created_by: integer(),
    started_at: integer().orNull(),
    ended_at: integer().orNull(),
    /** All members of the segment up to this user have been added to the receivers; null once all have. */
    position: integer().orNull(),
    /** Counts of its receivers, by state. */
    receivers: integer().default(0),
    queued: integer().default(0),
    sent: integer().default(0),
    failed: integer().default(0),
    unknown: integer().default(0),
    muted: integer().default(0),
    /** People who unsubscribed with the link of its mail. */
    unsubscribed: integer().default(0),
  }).index('by_state', ['state', 'send_at', 'id']),
  /** The receivers of an announcement: each person once. */
  announcement_receivers: table({
    announcement_id: integer().references('announcements.id'),
    user_id: integer().references('users.id'),
    state: text<ReceiverState>(),
    /** The reply of the mail server, if the mail failed. */
    error: text(),
    updated_at: integer(),
    /** When the person saw it in the portal; null before. */
    read_at: integer().orNull(),
  })
    .key('announcement_id', 'user_id')
    .index('by_state', ['announcement_id', 'state', 'user_id'])
    .index('by_user', ['user_id', 'announcement_id']),
  series: table({
    id: id(),
    name: text(),
    starts_on: text<SeriesStart>(),
    /** For `idle`: the days without an order. */
    idle_days: integer().orNull(),
    /** 1 if an order ends it. */
    ends_on_order: integer(),
    active: integer(),
    /** Past events do not start it. */
    activated_at: integer().orNull(),
    /** For `idle`: JSON of the `IdlePosition` up to which affiliates were looked at. */
    position: text().default(''),
    /** After a change of the steps: JSON of the last member that has its next date; null once all have. */
    replan: text().orNull(),
    /** Counts of its members. */
    entered: integer().default(0),
    completed: integer().default(0),
    left_early: integer().default(0),
    removed_at: integer().orNull(),
    created_at: integer(),
    created_by: integer(),
  }),
  /** A step is an announcement in the state `series`, sent to one person at a time: so each person gets it once. */
  series_steps: table({
    announcement_id: integer().key().references('announcements.id'),
    series_id: integer().references('series.id'),
    /** Days after a person entered; no two steps of a series have the same. */
    after_days: integer(),
    removed_at: integer().orNull(),
  }).index('by_series', ['series_id', 'after_days']),
  /** The people in a series, also after they have left it: each person enters once. */
  series_members: table({
    series_id: integer().references('series.id'),
    user_id: integer().references('users.id'),
    state: text<MemberState>(),
    reason: text<LeaveReason | ''>(),
    entered_at: integer(),
    /** When the next step is looked at; null if there is none. */
    due_at: integer().orNull(),
    /** `after_days` of the last step that is behind the person; -1 before the first. */
    days: integer(),
    ended_at: integer().orNull(),
  })
    .key('series_id', 'user_id')
    .index('by_user', ['user_id', 'series_id'])
    .index('due', ['series_id', 'due_at', 'user_id'], { where: 'due_at is not null' })
    .index('by_entry', ['series_id', 'entered_at', 'user_id'])
    .index('by_state', ['series_id', 'state', 'entered_at', 'user_id']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
