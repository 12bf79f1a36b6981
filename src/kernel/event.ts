import type { Static, TObject } from 'typebox';

/** A change that the feed and the webhooks tell about. */
export interface EventDefinition<D extends TObject = TObject> {
  /** `kind.what` */
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly data: D;
}

export type EventData<E extends EventDefinition> = Static<E['data']>;

export function defineEvent<D extends TObject>(
  name: `${string}.${string}`,
  description: string,
  data: D,
): EventDefinition<D> {
  return { name, kind: name.slice(0, name.indexOf('.')), description, data };
}
