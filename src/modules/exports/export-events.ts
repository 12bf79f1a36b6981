import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { operation } from '../../kernel/declare/operation.ts';
import {
  checkEventFilter,
  eventFilterParameters,
  findEvents,
  logDisabled,
  objectTypeOf,
  requireLog,
  sequenceEvents,
  toSearch,
} from '../events/index.ts';
import { CSV_TYPE, csvResponse } from './csv.ts';

const columns = ['id', 'date', 'event', 'object_type', 'object_id', 'user_id', 'info'];

export const exportEvents = operation({
  method: 'GET',
  namespace: 'store',
  path: '/exports/events.csv',
  summary: 'Export events as CSV',
  description: 'Newest first, with the filters of `GET /events`.',
  access: 'admin',
  scope: 'read',
  long: true,
  query: Type.Object(eventFilterParameters),
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response:
      `${columns.join()}\r\n` +
      '42,2026-01-20T14:05:09,referral.created,order,1042,1,Order 1042: commission 12.5 USD for coupon 12.\r\n',
  },
  errors: [logDisabled],
  check: checkEventFilter,
  async handle({ db, site, caller }, filter) {
    requireLog(site);
    await sequenceEvents(site.database);
    const search = toSearch(filter, site, caller);
    return csvResponse({
      file: 'events.csv',
      columns,
      readPage: ({ after, limit }) => readWholePage(db, search, after, limit),
      keyOf: (event) => event.id,
      toRecords: async (events) =>
        events.map((row) => [
          row.id,
          site.calendar.toLocal(row.created_at),
          row.event,
          objectTypeOf(row.kind, site.registry),
          row.object_id,
          row.user_id,
          row.info,
        ]),
    });
  },
});

type Search = ReturnType<typeof toSearch>;
type Events = Awaited<ReturnType<typeof findEvents>>['events'];

/** Pages of a search can be short. An export takes a short page for the last one, so this fills it. */
async function readWholePage(db: Reader, search: Search, after: number, limit: number) {
  const rows: Events = [];
  let before = after < 0 ? undefined : after;
  while (rows.length < limit) {
    const { events, next } = await findEvents(db, search, { before, limit: limit - rows.length });
    rows.push(...events);
    if (next === null) break;
    before = next;
  }
  return rows;
}
