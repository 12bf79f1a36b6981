import Type from 'typebox';
import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import { isRestricted } from '../../../src/kernel/declare/event.ts';
import type { Registry } from '../../../src/kernel/declare/registry.ts';

export const ALL = '*';

export const noEvents = defineError(
  'svc_api_no_events',
  400,
  'None of these events exist. GET /webhooks/events lists them all.',
);

export const EventNames = Type.Array(Type.String(), {
  maxItems: 1_000,
  description:
    'Names of events, or `["*"]` for all but those of the kinds `access`, `account`, `session`, `team` and ' +
    '`two_factor`, which are delivered by name only. Unknown names are ignored.',
});

/** Removes unknown and duplicate names; `*` replaces all others. */
export function subscriptionOf(names: readonly string[], registry: Registry): string[] {
  if (names.includes(ALL)) return [ALL];
  const known = new Set(registry.events().map((event) => event.name));
  const subscribed = [...new Set(names)].filter((name) => known.has(name));
  if (subscribed.length === 0) throw new ApiError(noEvents);
  return subscribed;
}

/** Whether a stored subscription includes an event of this name. */
export function subscriberOf(events: string): (name: string) => boolean {
  const names = new Set(JSON.parse(events) as string[]);
  return names.has(ALL) ? (name) => !isRestricted(name) : (name) => names.has(name);
}
