/** The parts of an OpenAPI document that the reference shows. */
export interface Document {
  info: { title: string; version: string; summary?: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks?: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> };
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  'x-access'?: string;
  'x-scope'?: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response | Reference>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Response {
  description: string;
  /** By media type: JSON, except for files. */
  content?: Record<string, Content>;
}

export interface Content {
  schema: Schema;
  example?: unknown;
}

interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  examples?: unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** An operation with its method and path. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

export interface OperationGroup {
  name: string;
  description: string;
  operations: PlacedOperation[];
}

/** The operations by tag, in the order of the document. */
export function groupsOf({ paths, tags = [] }: Document): OperationGroup[] {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const byTag = Object.groupBy(placed, ({ operation }) => operation.tags[0] ?? 'other');
  const listed = tags.filter(({ name }) => name in byTag).map(({ name }) => name);
  const names = [...new Set([...listed, ...Object.keys(byTag)])];
  return names.map((name) => ({
    name,
    description: tags.find((tag) => tag.name === name)?.description ?? '',
    operations: byTag[name]!,
  }));
}

export const nameOfReference = (reference: string): string => reference.split('/').at(-1)!;

/** Resolves a reference to a named schema. */
export function resolved(schema: Schema, { components }: Document): Schema {
  if (schema.$ref === undefined) return schema;
  return components.schemas[nameOfReference(schema.$ref)] ?? {};
}

function responsesOf(
  { responses }: DocumentedOperation,
  { components }: Document,
): [status: string, response: Response][] {
  return Object.entries(responses).map(([status, response]) => [
    status,
    '$ref' in response
      ? (components.responses?.[nameOfReference(response.$ref)] ?? { description: '' })
      : response,
  ]);
}

/** The usual success response: the last one, because v2 lists 200 for every operation. */
export function goodResponseOf(
  operation: DocumentedOperation,
  document: Document,
): { status: string; response: Response } | undefined {
  const good = responsesOf(operation, document).findLast(([status]) => status.startsWith('2'));
  return good && { status: good[0], response: good[1] };
}

export interface DocumentedError {
  status: string;
  code: string;
  message: string;
}

/** Parses the errors of an operation from its responses, which describe each as "`code`: message". */
export function errorsOf(operation: DocumentedOperation, document: Document): DocumentedError[] {
  return responsesOf(operation, document)
    .filter(([status]) => status >= '400')
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`([^`]+)`: (.+)$/gm)].map(([, code, message]) => ({
        status,
        code: code!,
        message: message!,
      })),
    );
}

/** A union with more choices, such as the events of the feed, is shown by its common fields. */
const CHOICES_MAX = 6;

export function isLargeUnion({ oneOf = [] }: Schema): boolean {
  return oneOf.length > CHOICES_MAX;
}

/** The common fields of the choices of a union, without values that differ. */
export function commonSchema({ oneOf = [] }: Schema, document: Document): Schema {
  const choices = oneOf.map((choice) => resolved(choice, document));
  const [first = {}] = choices;
  const properties = Object.entries(first.properties ?? {}).map(
    ([name, schema]): [string, Schema] => {
      const isSame = choices.every(
        (choice) => JSON.stringify(choice.properties?.[name]) === JSON.stringify(schema),
      );
      const { type = 'object', description } = schema;
      return [name, isSame ? schema : { type, ...(description && { description }) }];
    },
  );
  return { ...first, properties: Object.fromEntries(properties) };
}

/** The named schemas used by responses, directly or indirectly. */
export function recordsOf(document: Document): [name: string, schema: Schema][] {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || isLargeUnion(part)) return;
    for (const [key, value] of Object.entries(part)) {
      if (key !== '$ref') visit(value);
      else if (!names.has(nameOfReference(value as string))) {
        names.add(nameOfReference(value as string));
        visit(document.components.schemas[nameOfReference(value as string)]);
      }
    }
  };
  for (const { operations } of groupsOf(document)) {
    for (const { operation } of operations) {
      const good = goodResponseOf(operation, document)?.response.content ?? {};
      for (const { schema } of Object.values(good)) visit(schema);
    }
  }
  return Object.entries(document.components.schemas).filter(([name]) => names.has(name));
}
