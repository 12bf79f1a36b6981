import { exampleBody, type EventDefinition } from '../../declare/event.ts';
import { FeedEventSchema } from '../../declare/feed-event.ts';
import { hoist, refTo, written, type Json, type NamedSchemas, type Written } from './schemas.ts';
import { Point } from '../../declare/point.ts';
import type { Registry } from '../../declare/registry.ts';

/** How a module sends events to receivers: what the document says of each delivery. */
export interface EventDeliveries {
  readonly tag: string;
  readonly description: string;
  /** The headers of a delivery, with what each means. */
  readonly headers: Record<string, { description: string; example: string }>;
  /** What is sent besides the events, such as a test. */
  readonly others: readonly EventDefinition[];
  readonly answers: string;
}

export const eventDeliveries = new Point<EventDeliveries>('openapi.event-deliveries');

/** `ReferralCreated` of `referral.created`. */
function nameOfEvent({ name }: EventDefinition): string {
  return name.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase());
}

/**
 * The section `webhooks` of the document: every event that can be delivered, while something delivers
 * them. What it refers to is added to `schemas`.
 */
export function webhooksOf(registry: Registry, schemas: Written): Written {
  const webhooks: Written = {};
  for (const deliveries of registry.contributions(eventDeliveries)) {
    const events = [...registry.events(), ...deliveries.others];
    for (const event of events) {
      const part = deliveryOf(event, deliveries);
      webhooks[event.name] = part.item;
      Object.assign(schemas, part.schemas);
    }
    schemas['WebhookMessage'] = JSON.stringify(unionOf(events, 'type', 'Message'));
  }
  return webhooks;
}

interface DeliveryPart {
  readonly item: string;
  readonly schemas: Written;
}

/** An event never changes: it is written out once. */
const deliveryParts = new WeakMap<EventDefinition, DeliveryPart>();
const feedParts = new WeakMap<EventDefinition, Written>();

function deliveryOf(event: EventDefinition, deliveries: EventDeliveries): DeliveryPart {
  let part = deliveryParts.get(event);
  if (part === undefined) {
    const schemas: NamedSchemas = {};
    const item = JSON.stringify({ post: delivery(event, deliveries, schemas) });
    deliveryParts.set(event, (part = { item, schemas: written(schemas) }));
  }
  return part;
}

function delivery(event: EventDefinition, sent: EventDeliveries, schemas: NamedSchemas): Json {
  const name = `${nameOfEvent(event)}Message`;
  schemas[name] = messageSchema(event, schemas);
  return {
    operationId: `webhook_${event.name.replaceAll('.', '_')}`,
    summary: event.description,
    description: sent.description,
    tags: [sent.tag],
    security: [],
    parameters: Object.entries(sent.headers).map(([header, { description, example }]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refTo(name), example: exampleBody(event) } },
    },
    responses: { '2XX': { description: sent.answers } },
  };
}

function messageSchema(event: EventDefinition, schemas: NamedSchemas): Json {
  return {
    type: 'object',
    description: event.description,
    required: ['type', 'timestamp', 'id', 'data'],
    properties: {
      type: { type: 'string', const: event.name },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      id: {
        type: 'integer',
        description: 'The position in the change feed, 0 where it is not part of the feed.',
      },
      data: dataRef(event, schemas),
    },
  };
}

function dataRef(event: EventDefinition, schemas: NamedSchemas): Json {
  const name = `${nameOfEvent(event)}Data`;
  schemas[name] = hoist(event.data, schemas);
  return refTo(name);
}

/**
 * The events of the change feed, told apart by their name. The contract of the operation is the general
 * one, since a feed holds what earlier versions and other editions wrote.
 */
export function feedSchemas(registry: Registry): Written {
  // Those of an add-on that is switched off are as absent as its routes, though the feed keeps them.
  const events = registry.events();
  const parts = events.map((event) => {
    const known = feedParts.get(event) ?? written(feedSchemasOf(event));
    feedParts.set(event, known);
    return known;
  });
  const FeedEvent = JSON.stringify(unionOf(events, 'event', 'Event'));
  return Object.assign({}, ...parts, { FeedEvent }) as Written;
}

function feedSchemasOf(event: EventDefinition): NamedSchemas {
  const schemas: NamedSchemas = {};
  // A TypeBox schema is a JSON Schema object; its type has no index signature.
  const { $id: _, ...general } = FeedEventSchema as unknown as Json;
  const { properties, ...rest } = hoist(general, {});
  schemas[`${nameOfEvent(event)}Event`] = {
    ...rest,
    description: event.description,
    properties: {
      ...(properties as Json),
      kind: { type: 'string', const: event.kind },
      event: { type: 'string', const: event.name },
      data: dataRef(event, schemas),
    },
  };
  return schemas;
}

function unionOf(events: readonly EventDefinition[], property: string, ending: string): Json {
  const refs = events.map((event) => [event.name, refTo(nameOfEvent(event) + ending)] as const);
  return {
    description: 'Later versions may bring further events: pass over what you do not know.',
    oneOf: refs.map(([, ref]) => ref),
    discriminator: {
      propertyName: property,
      mapping: Object.fromEntries(refs.map(([name, ref]) => [name, ref['$ref']])),
    },
  };
}
