import type { TObject, TSchema } from 'typebox';
import { accessOf } from './authorize.ts';
import { takesIdempotencyKey } from './idempotency.ts';
import { isClosed, resolveSchema } from './input-readers.ts';
import { errorsOf, isRequired } from './operation-errors.ts';
import { namespacePaths, type Namespace, type Operation } from './operation.ts';
import type { Registry } from './registry.ts';
import { ErrorSchema } from './schemas.ts';
import type { Site } from './site.ts';

type Json = Record<string, unknown>;

/** One operation's part of the document and the schemas it refers to, written out. */
interface Fragment {
  readonly revision: number | undefined;
  readonly operation: string;
  readonly schemas: Record<string, string>;
}

export const apiVersions: Record<Namespace, string> = { v2: '2.0.0', store: '1.0.0', site: '' };

/**
 * The OpenAPI document of a namespace, put together for this request from the routes that are
 * active now. An operation's part never changes while its contract does not, so it is written out
 * once and joined with the others each time.
 */
export function openApiText(site: Site, namespace: Namespace): string {
  const paths: Record<string, string[]> = {};
  const schemas: Record<string, string> = {};
  for (const operation of site.registry.activeOperations(namespace)) {
    const fragment = fragmentOf(operation, site);
    (paths[operation.path] ??= []).push(
      `"${operation.method.toLowerCase()}":${fragment.operation}`,
    );
    Object.assign(schemas, fragment.schemas);
  }
  const servers = [{ url: site.publicUrl + namespacePaths[namespace] }];
  const text =
    `{"openapi":"3.1.0","info":${JSON.stringify(infoOf(namespace))},` +
    `"servers":${JSON.stringify(servers)},` +
    `"paths":{${Object.entries(paths).map(([path, parts]) => `"${path}":{${parts.join()}}`)}},` +
    `"components":{"schemas":{${Object.entries(schemas).map(([name, json]) => `"${name}":${json}`)}},` +
    `"securitySchemes":${SECURITY_SCHEMES}}}`;
  const amend = site.extensions.amendOpenApi;
  return amend ? JSON.stringify(amend(JSON.parse(text) as Json)) : text;
}

export function openApiDocument(site: Site, namespace: Namespace): Json {
  return JSON.parse(openApiText(site, namespace)) as Json;
}

function infoOf(namespace: Namespace): Json {
  return {
    title: namespace === 'store' ? 'Tributary store API' : 'Tributary affiliate program API',
    version: apiVersions[namespace],
    description:
      namespace === 'store'
        ? "The write path: how a store's orders, clicks, affiliates and settings get in."
        : 'Affiliates, coupons, commissions, payouts and events of an affiliate program.',
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

const SECURITY_SCHEMES = JSON.stringify({
  bearerApiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, over HTTPS only.',
  },
  basicAppPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'Login or e-mail address with an application password, over HTTPS only.',
  },
});

const fragments = new WeakMap<Registry, Map<Operation, Fragment>>();

function fragmentOf(operation: Operation, site: Site): Fragment {
  const { registry } = site;
  let known = fragments.get(registry);
  if (!known) fragments.set(registry, (known = new Map()));
  const cached = known.get(operation);
  if (cached && (cached.revision === undefined || cached.revision === registry.revision)) {
    return cached;
  }
  const fragment = describe(operation, site);
  known.set(operation, fragment);
  return fragment;
}

function describe(operation: Operation, site: Site): Fragment {
  const { registry } = site;
  const schemas: Record<string, Json> = {};
  const live =
    typeof operation.body === 'function' ||
    typeof operation.response === 'function' ||
    operation.publicUnless !== undefined;
  const access = accessOf(operation, site);
  const body = operation.body && resolveSchema(operation.body, registry);
  const json: Json = {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [registry.moduleOf(operation).name],
    security: [
      ...(access === 'public' ? [{}] : []),
      { bearerApiKey: [] },
      { basicAppPassword: [] },
    ],
    'x-access': access,
    ...(operation.scope && { 'x-scope': operation.scope }),
    parameters: [
      ...parametersOf(operation.params, 'path', schemas),
      ...parametersOf(operation.query, 'query', schemas),
      ...(takesIdempotencyKey(operation) ? [idempotencyKey(operation)] : []),
    ],
    ...(body && { requestBody: requestBodyOf(body, operation, schemas) }),
    responses: responsesOf(operation, registry, schemas),
  };
  return {
    revision: live ? registry.revision : undefined,
    operation: JSON.stringify(json),
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)]),
    ),
  };
}

function parametersOf(
  schema: TObject | undefined,
  place: 'path' | 'query',
  schemas: Record<string, Json>,
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
      `Any text of your choice, such as a UUID. The first good answer is kept for ` +
      `${secretAnswer ? 'ten minutes, since it holds a secret,' : '24 hours'} and repeated, with ` +
      'the header `Idempotent-Replayed: true`, for the same key and body.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  };
}

function requestBodyOf(body: TObject, operation: Operation, schemas: Record<string, Json>): Json {
  const { listBody } = operation;
  const hoisted = hoist(body, schemas);
  const { required: listed = [], ...schema } = (
    isClosed(operation) ? closed(hoisted) : hoisted
  ) as { required?: string[] };
  const required = listed.filter((name) => isRequired(body.properties[name]!, true));
  const whole: Json = required.length > 0 ? { ...schema, required } : schema;
  const content = { schema: listBody === undefined ? whole : oneOrList(whole, listBody) };
  return {
    required: required.length > 0,
    content: {
      'application/json': content,
      'application/x-www-form-urlencoded': content,
    },
  };
}

/** Says of every object whose properties are known that it has no others. */
function closed(schema: Json): Json {
  const parts = Object.entries(schema).map(([key, part]): [string, unknown] => {
    if (key === 'properties') {
      const properties = Object.entries(part as Record<string, Json>);
      return [key, Object.fromEntries(properties.map(([name, one]) => [name, closed(one)]))];
    }
    if (key === 'items') return [key, closed(part as Json)];
    return [key, key === 'anyOf' ? (part as Json[]).map(closed) : part];
  });
  const isKnown = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isKnown && { additionalProperties: false }) };
}

/** An object, or a list of such objects: what is said of properties holds for objects only. */
function oneOrList({ type, ...whole }: Json, listBody: string): Json {
  const { [listBody]: list, ...properties } = whole['properties'] as Record<string, Json>;
  return { ...whole, oneOf: [{ type }, { ...list, items: { ...whole, type, properties } }] };
}

/** The API's specification lists 200 among the responses of every operation of v2. */
const AS_WELL_AS_201: Json = {
  description: 'Listed for every operation. This one answers 201 when it is done.',
};

function responsesOf(
  operation: Operation,
  registry: Registry,
  schemas: Record<string, Json>,
): Json {
  const good = {
    description: 'Done.',
    ...(operation.headers && { headers: headersOf(operation.headers) }),
    content: {
      [operation.contentType ?? 'application/json']: {
        schema: hoist(resolveSchema(operation.response, registry), schemas),
      },
    },
  };
  const error = { 'application/json': { schema: hoist(ErrorSchema, schemas) } };
  const bad = Object.entries(Object.groupBy(errorsOf(operation, registry), (e) => e.status)).map(
    ([status, definitions]) => [
      status,
      {
        description: definitions!.map((e) => `\`${e.code}\`: ${e.message}`).join('\n\n'),
        content: error,
      },
    ],
  );
  return {
    ...(operation.namespace === 'v2' && operation.status === 201 && { 200: AS_WELL_AS_201 }),
    [operation.status ?? 200]: good,
    ...(operation.otherStatus && { [operation.otherStatus]: good }),
    ...(operation.headers?.['ETag'] && { 304: { description: 'The caller has it already.' } }),
    ...Object.fromEntries(bad),
  };
}

function headersOf(headers: Record<string, string>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** Copies a schema for the document; parts that carry an `$id` become components referred to by it. */
function hoist(schema: TSchema, schemas: Record<string, Json>): Json {
  const { $id, ...copy } = copyOf(schema as Json, schemas);
  if (typeof $id !== 'string') return copy;
  schemas[$id] = copy;
  return { $ref: `#/components/schemas/${$id}` };
}

function copyOf(schema: Json, schemas: Record<string, Json>): Json {
  const copy: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (Array.isArray(value)) {
      copy[key] = value.map((item) => (isSchema(item) ? hoist(item as TSchema, schemas) : item));
    } else if (isSchema(value) && key !== 'default') {
      copy[key] = hoist(value as TSchema, schemas);
    } else copy[key] = value;
  }
  return copy;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
