import type { ActiveDeclarations } from '../../declare/active-declarations.ts';
import { exampleBody, type EventDefinition } from '../../declare/event.ts';
import { FeedEventSchema } from '../../declare/feed-event.ts';
import { Point } from '../../declare/point.ts';
import { hoist, refTo, type Json, type NamedSchemas } from './schemas.ts';

/** What the document says about the event deliveries of a module. */
export interface EventDeliveries {
  readonly tag: string;
  readonly description: string;
  /** The headers of a delivery and their meaning. */
  readonly headers: Record<string, { description: string; example: string }>;
  /** Messages that are not events of the feed, such as a test. */
  readonly others: readonly EventDefinition[];
  readonly answers: string;
}

export const eventDeliveries = new Point<EventDeliveries>('openapi.event-deliveries');

/** Converts `referral.created` to `ReferralCreated`. */
function nameOfEvent({ name }: EventDefinition): string {
  return name.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase());
}

/** The section `webhooks` of the document, one entry per event. Adds their schemas to `schemas`. */
export function webhooksOf(active: ActiveDeclarations, schemas: NamedSchemas): Json {
  const webhooks: Json = {};
  for (const deliveries of active.contributions(eventDeliveries)) {
    const events = [...active.events(), ...deliveries.others];
    for (const event of events) {
      webhooks[event.name] = { post: delivery(event, deliveries, schemas) };
    }
    schemas['WebhookMessage'] = unionOf(events, 'type', 'Message');
  }
  return webhooks;
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
 * The schemas of the change feed, as a union by event name. The operation's own schema stays general,
 * because the feed also contains events of earlier versions and other editions.
 */
export function feedSchemas(active: ActiveDeclarations): NamedSchemas {
  // Events of an add-on that is off are left out like its routes, although the feed still contains them.
  const events = active.events();
  const schemas: NamedSchemas = {};
  for (const event of events) Object.assign(schemas, feedSchemasOf(event));
  schemas['FeedEvent'] = unionOf(events, 'event', 'Event');
  return schemas;
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
      // The `properties` of an object schema are a JSON object.
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
