import type { Static, TObject } from 'typebox';

/**
 * An example of an event. The examples of all events are consistent: the same coupon, order and payout
 * have the same ids and amounts in each, and later events have higher ids and times.
 */
export interface EventExample<D> {
  /** The position in the feed. */
  readonly id: number;
  /** RFC 3339, UTC. The local times in `data` belong to a store whose time zone is UTC. */
  readonly timestamp: string;
  readonly data: D;
}

/** A kind of change that the feed and the webhooks report. */
export interface EventDefinition<D extends TObject = TObject> {
  /** The kind and what happened: `referral.created`. */
  readonly name: string;
  readonly kind: string;
  /** What `object_id` of the event identifies: `coupon`. */
  readonly object: string;
  readonly description: string;
  readonly data: D;
  /** Shown in the documentation, and sent by `./tributary webhooks trigger`. */
  readonly example: EventExample<Static<D>>;
}

export type EventData<E extends EventDefinition> = Static<E['data']>;

export function defineEvent<D extends TObject>(
  name: `${string}.${string}`,
  description: string,
  data: D,
  example: EventExample<Static<D>>,
  /** The type of the object that changed; the kind by default. All events of a kind have the same one. */
  object?: string,
): EventDefinition<D> {
  const kind = name.slice(0, name.indexOf('.'));
  return { name, kind, object: object ?? kind, description, data, example };
}

/**
 * Kinds of events that tell who signs in, who was refused, and how accounts are protected. Only plugin administrators
 * get them, and only by name: neither the feed without the filter `event` nor a webhook with `*` includes them.
 */
export const restrictedKinds = ['access', 'account', 'session', 'team', 'two_factor'];

/** @param name The name of an event, or its kind. */
export function isRestricted(name: string): boolean {
  return restrictedKinds.includes(name.split('.', 1)[0]!);
}

/** The example as the body of a webhook delivery. */
export function exampleBody({ name, example }: EventDefinition) {
  return { type: name, timestamp: example.timestamp, id: example.id, data: example.data };
}
