import Type from 'typebox';
import { collection, pageHeaders, pageHeaderValues } from '../../kernel/cache/collection.ts';
import { isPluginAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { isRestricted } from '../../kernel/declare/event.ts';
import { FeedEventSchema, type FeedEvent } from '../../kernel/declare/feed-event.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters } from '../../kernel/declare/schemas.ts';
import { defineSetting } from '../../kernel/declare/setting.ts';
import { countEvents, newestEvents, pollEvents, type EventFilter } from './event-rows.ts';
import { toFeedEvent, toFeedText } from './event-wire.ts';
import { keysVisibleTo } from './keys-of-administrators.ts';

export const activityLogEnabled = defineSetting(
  'activity_log.enabled',
  Type.Boolean(),
  true,
  'Clients can read the change feed. Events are recorded either way.',
);

export const logDisabled = defineError(
  'svc_api_log_disabled',
  400,
  'The activity log is switched off (setting activity_log.enabled).',
);

const position = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

export const listEvents = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/events',
  summary: 'Change feed with cursor',
  description:
    'With `after` (0 included): the events after that position, oldest first; `page` is not used. ' +
    'Poll again with the value of `X-Svc-Last-Event`: no event is missed or repeated. ' +
    'Without `after`: newest first, and `X-Svc-Last-Event` is the newest id of the feed on every page. ' +
    'Events of the kinds `access`, `account`, `session`, `team` and `two_factor` are for administrators, not for ' +
    'managers, and only with `event`. Managers get no events about the keys of administrators.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({ ...position, description: 'Cursor: only events after this position.' }),
    ),
    event: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A kind (`referral`) or a full name (`referral.created`).',
      }),
    ),
    user_id: Type.Optional(
      Type.Integer({ ...position, description: 'The user who made the change; 0 is the system.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(FeedEventSchema),
  example: {
    response: [
      {
        id: 42,
        kind: 'referral',
        event: 'referral.created',
        object_id: 1042,
        user_id: 1,
        info: 'Order 1042: commission 12.5 USD for coupon 12.',
        date: '2026-01-20T14:05:09',
        data: {
          order_id: 1042,
          coupon_id: 12,
          user_id: 7,
          total: 125,
          commission: 12.5,
          currency: 'USD',
          status: 'processing',
        },
      },
    ],
  },
  headers: { ...pageHeaders, 'X-Svc-Last-Event': 'The cursor for the next poll.' },
  errors: [logDisabled],
  async handle({ db, site, caller }, input) {
    if (!site.settings.get(activityLogEnabled)) throw new ApiError(logDisabled);
    const filter = toFilter(input, caller);

    if (input.after !== undefined) {
      const { after, per_page } = input;
      const poll = { ...filter, after, limit: per_page };
      const { events, total, last } = await pollEvents(site.database, poll);
      return HttpResponse.encoded<FeedEvent[]>(toFeedText(events, site.calendar), {
        headers: { ...pageHeaderValues(total, per_page), 'X-Svc-Last-Event': String(last) },
      });
    }

    const { total, head } = await countEvents(site.database, filter);
    const page = await collection(input, total, async (slice) => {
      const rows = await newestEvents(db, filter, head, slice);
      return rows.map((row) => toFeedEvent(row, site.calendar));
    });
    page.headers['X-Svc-Last-Event'] = String(head);
    return page;
  },
});

/** No event has it: the feed answers like for an unknown kind. */
const NO_KIND = '';

function toFilter(input: { event?: string; user_id?: number }, caller: Caller): EventFilter {
  const { event } = input;
  const common = { user_id: input.user_id, ...keysVisibleTo(caller) };
  if (event === undefined) return { ...common, open: true };
  if (isRestricted(event) && !isPluginAdmin(caller)) return { ...common, kind: NO_KIND };
  return event.includes('.') ? { ...common, event } : { ...common, kind: event };
}
