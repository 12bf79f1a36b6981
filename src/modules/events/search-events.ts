import Type, { type Static } from 'typebox';
import { rangeParameters } from '../../kernel/call/date-range.ts';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import { isPluginAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import { isRestricted } from '../../kernel/declare/event.ts';
import { FeedEventSchema } from '../../kernel/declare/feed-event.ts';
import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, Nullable, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { toFeedEvent } from './event-wire.ts';
import { keysVisibleTo } from './keys-of-administrators.ts';
import { activityLogEnabled, logDisabled } from './list-events.ts';
import { kindsAbout, objectTypeOf } from './object-types.ts';
import { findActors, findEvents, findNames, type EventSearch } from './search-rows.ts';
import { sequenceEvents } from './sequence-events.ts';

/** The filters of the search and of its export. */
export const eventFilterParameters = {
  object_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description:
        'Events about objects of this type: `order`, `coupon`, `affiliate` (or `user`: an affiliate has the id of ' +
        'its user), `payout`, `registration`, `webhook`, `key`.',
    }),
  ),
  object_id: Type.Optional(Id('Events about this object only; needs `object_type`.')),
  event: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A kind (`referral`) or a full name (`referral.created`).',
    }),
  ),
  user_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The user who made the change; 0 is the system.',
    }),
  ),
  ...rangeParameters,
};

const FilterSchema = Type.Object(eventFilterParameters);
type Filter = Static<typeof FilterSchema>;

const FoundEventSchema = Type.Object(
  {
    ...FeedEventSchema.properties,
    object_type: Type.String({ description: 'The type of `object_id`: `order`, `coupon`.' }),
    user: Nullable(
      Type.Object(
        { id: Type.Integer(), login: Type.String(), name: Type.String() },
        { description: 'The user who made the change; null for the system.' },
      ),
    ),
  },
  {
    $id: 'FoundEvent',
    examples: [
      {
        id: 42,
        kind: 'referral',
        event: 'referral.created',
        object_id: 1042,
        user_id: 1,
        info: 'Order 1042: commission 12.5 USD for coupon 12.',
        date: '2026-01-20T14:05:09',
        data: { order_id: 1042, coupon_id: 12, user_id: 7, commission: 12.5, currency: 'USD' },
        object_type: 'order',
        user: { id: 1, login: 'sam', name: 'Sam Reed' },
      },
    ],
  },
);

export const searchEvents = operation({
  method: 'GET',
  namespace: 'store',
  path: '/events',
  summary: 'Search the change feed by object, event, user and day',
  description:
    'Newest first. Ask for the next page with `before` = `next`, until `next` is null. ' +
    'A page that had to skip many events of other users or names can be shorter than `per_page`, even empty. ' +
    'To follow the feed, use `GET /svc/v2/events` with its cursor. Events of the kinds `access`, `account`, `session`, ' +
    '`team` and `two_factor` are for administrators, not for managers, and only with `event`. Managers get no ' +
    'events about the keys of administrators.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    ...eventFilterParameters,
    before: Type.Optional(Id('Only events before this position.')),
    per_page: pageParameters.per_page,
  }),
  response: Type.Object(
    {
      items: Type.Array(FoundEventSchema),
      names: Type.Array(
        Type.Object({
          type: StringEnum(['user', 'coupon']),
          id: Type.Integer(),
          name: Type.String({ description: 'The display name, or the code.' }),
        }),
        { description: 'The users and coupons that the events are about.' },
      ),
      next: Nullable(
        Type.Integer({ description: '`before` of the next page; null on the last page.' }),
      ),
    },
    { $id: 'FoundEvents' },
  ),
  errors: [logDisabled],
  check: checkEventFilter,
  async handle({ db, site, caller }, { before, per_page, ...filter }) {
    requireLog(site);
    await sequenceEvents(site.database);
    const search = toSearch(filter, site, caller);
    const { events, next } = await findEvents(db, search, { before, limit: per_page });
    const users = await findActors(db, events);
    const items = events.map((row) => ({
      ...toFeedEvent(row, site.calendar),
      object_type: objectTypeOf(row.kind, site.registry),
      user: users.get(row.user_id) ?? null,
    }));
    return { items, names: await findNames(db, items), next };
  },
});

/** For `check` of an operation with `eventFilterParameters`. */
export function checkEventFilter(input: Partial<Filter>, errors: FieldErrors): void {
  if (input.object_id !== undefined && input.object_type === undefined) {
    errors.add('object_id', 'needs object_type');
  }
}

export function requireLog(site: Site): void {
  if (!site.settings.get(activityLogEnabled)) throw new ApiError(logDisabled);
}

export function toSearch(filter: Filter, site: Site, caller: Caller): EventSearch {
  const { event, object_id, user_id, from, to } = filter;
  const named = event !== undefined && isPluginAdmin(caller);
  const kinds = kindsOf(filter, site.registry);
  return {
    kinds: named ? kinds : kinds?.filter((kind) => !isRestricted(kind)),
    open: kinds === undefined ? true : undefined,
    event: event?.includes('.') ? event : undefined,
    object_id,
    user_id,
    fromMs: from === undefined ? undefined : site.calendar.startOfDay(from),
    toMs: to === undefined ? undefined : site.calendar.endOfDay(to),
    ...keysVisibleTo(caller),
  };
}

/** The kinds that meet both the type of the object and the event; undefined for all kinds. */
function kindsOf({ object_type, event }: Filter, active: ActiveDeclarations) {
  const kind = event?.split('.', 1)[0];
  if (object_type === undefined) return kind === undefined ? undefined : [kind];
  const kinds = kindsAbout(object_type, active);
  return kind === undefined ? kinds : kinds.filter((name) => name === kind);
}
