import type { TObject, TSchema } from 'typebox';
import { accessOf } from '../../call/authorize.ts';
import { takesIdempotencyKey } from '../../call/idempotency-key.ts';
import { isClosed, resolveSchema } from '../../call/input-readers.ts';
import { isRequired } from '../../call/operation-errors.ts';
import type { Operation, Upload } from '../../declare/operation.ts';
import type { Site } from '../../declare/site.ts';
import { exampleOf } from './examples.ts';
import { responsesOf, type Components } from './responses.ts';
import { asRequested, closed, hoist, refTo, type Json, type NamedSchemas } from './schemas.ts';

/** The OpenAPI description of an operation. Adds shared schemas and responses to `components`. */
export function describeOperation(operation: Operation, site: Site, components: Components): Json {
  const { registry } = site;
  const { schemas } = components;
  const access = accessOf(operation, site);
  const body = operation.body && resolveSchema(operation.body, registry);
  const takesKey = takesIdempotencyKey(operation);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [registry.moduleOf(operation).name],
    security: [
      ...(access === 'public' ? [{}] : []),
      { bearerApiKey: operation.scope ? [operation.scope] : [] },
      { basicAppPassword: [] },
    ],
    'x-access': access,
    ...(operation.scope && { 'x-scope': operation.scope }),
    ...(operation.long && { 'x-long': operation.long === true ? 'always' : 'sometimes' }),
    parameters: [
      ...parametersOf(operation.params, 'path', schemas),
      ...parametersOf(operation.query, 'query', schemas),
      ...(takesKey ? [idempotencyKey(operation)] : []),
      ...(operation.headers?.['ETag'] ? [conditionOf(operation)] : []),
    ],
    ...(body && { requestBody: requestBodyOf(body, operation, schemas) }),
    responses: responsesOf(operation, registry, components, takesKey),
  };
}

function parametersOf(
  schema: TObject | undefined,
  place: 'path' | 'query',
  schemas: NamedSchemas,
): Json[] {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = hoist(property, schemas);
    return {
      name,
      in: place,
      required: place === 'path' || isRequired(property, required.has(name)),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function idempotencyKey({ secretAnswer }: Operation): Json {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      `Any text of your choice, such as a UUID. The first successful response is stored for ` +
      `${secretAnswer ? 'ten minutes, since it holds a secret,' : '24 hours'} and repeated, with ` +
      'the header `Idempotent-Replayed: true`, for the same key and body.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '5f0c6a52-6f5d-4d0e-9a53-1c8c1b8b7a11',
  };
}

/** An operation that declares the header ETag takes a condition: a read one to save bytes, a change one to lose none. */
function conditionOf({ method }: Operation): Json {
  return method === 'GET' ? IF_NONE_MATCH : IF_MATCH;
}

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the version that the change is based on: 412 if it is not current.',
  schema: { type: 'string' },
};

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier answer: 304 without a body while it is still the current one.',
  schema: { type: 'string' },
};

/**
 * The server accepts forms too, but the document lists JSON only, unless a form can hold a file: with two media
 * types, generated clients would have to choose one on every call.
 */
function requestBodyOf(body: TObject, operation: Operation, schemas: NamedSchemas): Json {
  // A TypeBox schema is a JSON Schema object; its type has no index signature.
  const whole = asRequested(body as unknown as Json);
  const shown = isClosed(operation) ? closed(whole) : whole;
  const { listBody } = operation;
  const schema =
    listBody === undefined ? hoist(shown, schemas) : oneOrList(shown, listBody, schemas);
  return {
    required: 'required' in whole || listBody !== undefined,
    content: {
      'application/json': { schema, example: operation.example?.body ?? exampleOf(body) },
      ...(operation.upload && {
        'multipart/form-data': { schema: formOf(shown, operation.upload, schemas) },
      }),
    },
  };
}

/** The schema of a body that is a form: the file is a part with its bytes, a list has a part for each item. */
function formOf(body: Json, { content, isList }: Upload, schemas: NamedSchemas): Json {
  // `Json` values are unknown; a body is an object schema.
  const properties = body['properties'] as Record<string, TSchema>;
  const file = {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'The file, as it is.',
  };
  const part = isList ? { type: 'array', items: file } : file;
  const parts = { ...properties, [content]: part };
  // It has no name: clients would get a type for it that differs from the JSON in one description only.
  return hoist({ ...body, $id: undefined, properties: parts }, schemas);
}

/** The schema of a body that is one item, a list of items, or an object with such a list. */
function oneOrList(whole: Json, listBody: string, schemas: NamedSchemas): Json {
  // `Json` values are unknown. `listBody` is declared with an array parameter of an object schema, and
  // such a body has an `$id`.
  const properties = whole['properties'] as Record<string, TSchema>;
  const list = hoist(properties[listBody]!, schemas);
  const name = whole['$id'] as string;
  schemas[name] = {
    oneOf: [
      list['items'],
      list,
      {
        type: 'object',
        properties: { [listBody]: list },
        required: [listBody],
        additionalProperties: false,
      },
    ],
  };
  return refTo(name);
}
