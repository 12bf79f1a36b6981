import { nameOf, pascal, type NamedRoute } from './names.ts';
import type { Schema } from './types.ts';

/** The parts of an OpenAPI document that the client is generated from. */
export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface OpenApiOperation {
  summary: string;
  description?: string;
  'x-access': string;
  'x-scope'?: string;
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** What the client needs to know about a route. */
export interface Route extends NamedRoute {
  /** `coupons.orders.list`. */
  name: string;
  comment: string;
  arguments: { name: string; schema: Schema }[];
  /** The query or the body. */
  input: { schema: Schema; isRequired: boolean } | undefined;
  /** The success response; undefined if it is not JSON. */
  response: Schema | undefined;
  /** Whether the success response is a file, such as CSV. */
  isFile: boolean;
}

export function routesOf(namespace: 'v2' | 'store', document: OpenApi): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      routeOf(namespace, path, method.toUpperCase(), operation),
    ),
  );
}

function routeOf(
  namespace: 'v2' | 'store',
  path: string,
  method: string,
  operation: OpenApiOperation,
): Route {
  const [, success] = Object.entries(operation.responses).find(([status]) =>
    status.startsWith('2'),
  )!;
  const response = success.content?.['application/json']?.schema;
  const named = { method, namespace, path, isList: response?.type === 'array' };
  const base = namespace === 'v2' ? '/svc/v2' : '/svc/store/v1';
  const scope = operation['x-scope'];
  return {
    ...named,
    name: nameOf(named),
    comment: [
      `${operation.summary}.`,
      ...(operation.description ? ['', operation.description] : []),
      '',
      `\`${method} ${base}${path}\`, access: ${operation['x-access']}${scope ? `, scope: ${scope}` : ''}`,
    ].join('\n'),
    arguments: operation.parameters.filter((one) => one.in === 'path'),
    input: inputOf(method, path, operation),
    response,
    isFile: response === undefined && success.content !== undefined,
  };
}

function inputOf(method: string, path: string, operation: OpenApiOperation): Route['input'] {
  const query = operation.parameters.filter((one) => one.in === 'query');
  const body = operation.requestBody;
  const isQuery = method === 'GET' || method === 'DELETE';
  if ((query.length > 0 && !isQuery) || (body && isQuery)) {
    throw new Error(`${method} ${path}: GET and DELETE take a query, the others take a body`);
  }
  if (body) {
    return { schema: body.content['application/json']!.schema, isRequired: body.required };
  }
  if (query.length === 0) return undefined;
  const required = query.filter((one) => one.required).map(({ name }) => name);
  const properties = query.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties), required },
    isRequired: required.length > 0,
  };
}

/** The name of the type of an input or a response that has none: `CouponsListInput`. */
export function typeNameOf({ name }: Route, ending: 'Input' | 'Result'): string {
  return pascal(name) + ending;
}
