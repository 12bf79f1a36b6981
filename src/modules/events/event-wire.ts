import type { FeedEvent } from '../../kernel/declare/feed-event.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import type { EventRow } from './event-rows.ts';

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

/**
 * Events as JSON text. Their data is stored as JSON: parsing and serializing it again would cost more than
 * the rest of a poll. Events of one transaction have the same date, and appending costs less than joining.
 */
export function toFeedText(rows: readonly EventRow[], calendar: SiteCalendar): string {
  let text = '';
  let formattedMs = Number.NaN;
  let date = '';
  for (const row of rows) {
    if (row.created_at !== formattedMs) {
      formattedMs = row.created_at;
      date = calendar.toLocal(formattedMs);
    }
    text +=
      `${text === '' ? '' : ','}{"id":${row.id},"kind":"${row.kind}","event":"${row.event}",` +
      `"object_id":${row.object_id},"user_id":${row.user_id},"info":${JSON.stringify(row.info)},` +
      `"date":"${date}","data":${row.data}}`;
  }
  return `[${text}]`;
}
