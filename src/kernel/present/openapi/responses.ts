import { resolveSchema } from '../../call/input-readers.ts';
import { errorsOf } from '../../call/operation-errors.ts';
import type { Operation } from '../../declare/operation.ts';
import type { Registry } from '../../declare/registry.ts';
import { errorResponse, errorResponseName, inFixedOrder } from './errors.ts';
import { exampleOf } from './examples.ts';
import { hoist, type Json, type NamedSchemas } from './schemas.ts';

/** The components that the operations of a document share. */
export interface Components {
  readonly schemas: NamedSchemas;
  readonly responses: Record<string, Json>;
}

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

const integer = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

/** Headers with the same meaning in every response. */
export const SHARED_HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in the log of the service. Quote it when you ask for help.',
    schema: text,
    example: '8FJ2kQ0aZr',
  },
  RateLimit: {
    description:
      'How many requests are left (`r`), and in how many seconds the count begins again (`t`).',
    schema: text,
    example: '"default";r=117;t=42',
  },
  'RateLimit-Policy': {
    description: 'How many requests (`q`) are allowed in how many seconds (`w`).',
    schema: text,
    example: '"default";q=120;w=60',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: integer, example: 60 },
  'Idempotent-Replayed': {
    description:
      '`true` where the answer is the one that was given to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Svc-Total': { description: 'Total matching items.', schema: integer, example: 42 },
  'X-Svc-TotalPages': {
    description: 'Total pages at the current per_page.',
    schema: integer,
    example: 3,
  },
} satisfies Record<string, Json>;

const EVERYWHERE = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

export function responsesOf(
  operation: Operation,
  registry: Registry,
  components: Components,
  takesKey: boolean,
): Json {
  const good = goodResponse(operation, registry, components, takesKey);
  const { status = 200, otherStatus = [] } = operation;
  return {
    // The API's specification lists 200 among the responses of every operation of v2.
    ...(operation.namespace === 'v2' && status === 201 && { 200: { ...good, ...NOT_USED } }),
    [status]: { ...good, description: descriptionOf(operation, status) },
    ...Object.fromEntries(
      [otherStatus]
        .flat()
        .map((other) => [other, { ...good, description: descriptionOf(operation, other) }]),
    ),
    ...(operation.method === 'GET' &&
      operation.headers?.['ETag'] && { 304: notModified(operation.headers['ETag']) }),
    ...badResponses(operation, registry, components),
  };
}

const NOT_USED = {
  description: 'Listed for every operation. This one answers 201 when it is done.',
};

function descriptionOf({ otherStatus }: Operation, status: number): string {
  if (status === 201) return 'Created.';
  return otherStatus ? 'It existed already.' : 'Success.';
}

function goodResponse(
  operation: Operation,
  registry: Registry,
  { schemas }: Components,
  takesKey: boolean,
): Json {
  const { contentType = 'application/json', example } = operation;
  const response = resolveSchema(operation.response, registry);
  return {
    headers: {
      ...headersOf(operation.headers ?? {}),
      ...(takesKey && { 'Idempotent-Replayed': headerRef('Idempotent-Replayed') }),
      ...Object.fromEntries(EVERYWHERE.map((name) => [name, headerRef(name)])),
    },
    content: {
      [contentType]: {
        schema: hoist(response, schemas),
        example: withDetails(exampleOf(response), example?.response),
      },
    },
  };
}

/** Applies an operation's own example: a whole value, or the fields that differ from the general one. */
function withDetails(general: unknown, own: unknown): unknown {
  if (own === undefined) return general;
  const areObjects = [general, own].every(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  // `every` does not narrow the two values.
  return areObjects ? { ...(general as object), ...(own as object) } : own;
}

function notModified(description: string): Json {
  return {
    description: 'The caller has it already: the tag in `If-None-Match` is the current one.',
    headers: headersOf({ ETag: description }),
  };
}

function badResponses(
  operation: Operation,
  registry: Registry,
  { responses }: Components,
): Record<string, Json> {
  const errors = inFixedOrder(errorsOf(operation, registry));
  const byStatus = Object.groupBy(errors, (error) => error.status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, refusals]) => {
      const name = errorResponseName(Number(status), refusals!, operation.id);
      responses[name] = errorResponse(Number(status), refusals!);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function headersOf(headers: Record<string, string>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      name in SHARED_HEADERS ? headerRef(name) : { description, schema: text },
    ]),
  );
}
