import type { FeedEvent } from '../../kernel/feed-event.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import type { EventRow } from './event-store.ts';

export function toFeedEvent(row: EventRow, calendar: SiteCalendar): FeedEvent {
  return {
    id: row.id,
    kind: row.kind,
    event: row.event,
    object_id: row.object_id,
    user_id: row.user_id,
    info: row.info,
    date: calendar.toLocal(row.created_at),
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}
