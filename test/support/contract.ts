import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { resolveSchema } from '../../src/kernel/call/input-readers.ts';
import { errorsOf } from '../../src/kernel/call/operation-errors.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import { ErrorSchema } from '../../src/kernel/declare/schemas.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { openApiDocument } from '../../src/kernel/present/openapi/document.ts';
import { describeOperation } from '../../src/kernel/present/openapi/operation.ts';
import { endingOf } from '../../src/shared/file-name.ts';
import type { Reply } from './harness.ts';

/**
 * Checks every response that a test gets against the contract: its body has the declared shape, and its
 * status and error code are in the OpenAPI document.
 */
export function checkContract(site: Site, method: string, target: string, reply: Reply): void {
  checkHeaders(`${method} ${target}`, reply);
  checkFileName(`${method} ${target}`, reply);
  const path = target.split('?')[0]!;
  const operation = operationAt(site, method, path);
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true;
  if (isJson && method !== 'HEAD' && reply.status !== 304) checkShape(site, operation, reply);
  // No operation was reached.
  if (!operation || reply.body?.code === 'rest_no_route') return;
  const code = isJson && reply.status >= 400 ? (reply.body?.code as string | undefined) : undefined;
  assert.ok(
    isDeclared(site, operation, reply.status, code),
    `${method} ${target} answered ${reply.status} ${code ?? ''}, which is not declared: ${reply.text.slice(0, 500)}`,
  );
}

/** The store's script reads this cookie by its name, on the pages of the store. */
const OF_THE_STORE = /^tributary=/;

/** Rules for the headers of every response, whatever the operation. */
function checkHeaders(what: string, { headers, text }: Reply): void {
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /frame-ancestors/, `${what}: who may show it in a frame`);
  assert.match(policy, /base-uri 'none'/, what);
  assert.match(policy, /(default|object)-src 'none'/, what);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
  assert.equal(headers.get('access-control-allow-origin'), null, what);
  assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/, what);
  const type = headers.get('content-type') ?? '';
  if (text !== '') assert.notEqual(type, '', `${what}: the type of its content`);
  if (/^text\/|[/+]xml/.test(type)) assert.match(type, /; charset=utf-8$/, what);
  for (const cookie of headers.getSetCookie()) assert.match(cookie, /; SameSite=Lax\b/, what);
  // HSTS is sent over HTTPS, and without HTTPS browsers refuse the prefix.
  if (!headers.has('strict-transport-security')) return;
  for (const cookie of headers.getSetCookie().filter((one) => !OF_THE_STORE.test(one))) {
    assert.match(cookie, /^__Host-[^;]+;.*; Secure\b/, `${what}: ${cookie}`);
  }
}

/** Whatever a person called a file: a device opens it by its ending, and shows its name. */
function checkFileName(what: string, { headers }: Reply): void {
  const disposition = headers.get('content-disposition');
  if (disposition === null) return;
  const [, plain, encoded] = /filename="([^"]*)"(?:; filename\*=UTF-8''(\S+))?$/.exec(disposition)!;
  const ending = `.${endingOf(headers.get('content-type')!)}`;
  for (const name of [plain!, decodeURIComponent(encoded ?? plain!)]) {
    assert.ok(name.endsWith(ending), `${what}: ${name} is no ${ending}`);
    assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/u, what);
  }
}

function operationAt(site: Site, method: string, path: string): Operation | undefined {
  const served = method === 'HEAD' ? 'GET' : method;
  return site.registry
    .activeOperations()
    .find((op) => op.method === served && (op.url === path || patternOf(op).test(path)));
}

/** Every call is checked, so what does not change between calls is kept. */
const patterns = new WeakMap<Operation, RegExp>();

function patternOf(operation: Operation): RegExp {
  let pattern = patterns.get(operation);
  if (!pattern) {
    const source = RegExp.escape(operation.url).replaceAll(/\\\{\w+\\\}/g, '[^/]+');
    patterns.set(operation, (pattern = new RegExp(`^${source}$`)));
  }
  return pattern;
}

/** Schemas that depend on settings are new objects each time, and compiled each time. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = Compile(schema)));
  return validator;
}

function checkShape(site: Site, operation: Operation | undefined, reply: Reply): void {
  const schema =
    reply.status < 400 && operation
      ? resolveSchema(operation.response, site.registry)
      : reply.status < 400 || reply.status === 503
        ? undefined
        : ErrorSchema;
  if (!schema) return;
  const compiled = validatorOf(schema);
  if (compiled.Check(reply.body)) return;
  const errors = JSON.stringify(compiled.Errors(reply.body));
  assert.fail(`${operation?.url} answered ${reply.status} against its contract: ${errors}`);
}

function isDeclared(
  site: Site,
  operation: Operation,
  status: number,
  code: string | undefined,
): boolean {
  if (operation.namespace !== 'site') {
    const responses = responsesOf(site, operation);
    // An extension of the site may have removed the operation from the document.
    if (!responses) return true;
    const response = responses[status];
    return response !== undefined && (code === undefined || codesOf(response).includes(code));
  }
  // Pages are in no OpenAPI document, but declare their statuses and errors as well.
  const isError = errorsOf(operation, site.registry).some(
    (error) => error.status === status && (code === undefined || error.code === code),
  );
  return isError || (code === undefined && goodStatuses(operation).includes(status));
}

function goodStatuses({ method, status = 200, otherStatus = [] }: Operation): number[] {
  return [status, ...[otherStatus].flat(), ...(method === 'GET' ? [304] : [])];
}

/** The error codes that the document allows for a response. */
function codesOf({ content }: ResponseObject): readonly string[] {
  return content?.['application/json']?.schema.properties?.code?.enum ?? [];
}

interface ResponseObject {
  $ref?: string;
  content?: Record<string, { schema: { properties?: { code?: { enum?: string[] } } } }>;
}
type Responses = Record<string, ResponseObject>;
interface OpenApiDocument {
  components: { responses: Responses };
  paths: Record<string, Record<string, { responses: Responses }>>;
}

interface KnownResponses {
  readonly revision: number;
  readonly responses: Responses | undefined;
}

/** Describing an operation takes longer than a request. */
const described = new WeakMap<Site, Map<Operation, KnownResponses>>();

function responsesOf(site: Site, operation: Operation): Responses | undefined {
  const { revision } = site.registry;
  const ofSite = described.get(site) ?? new Map<Operation, KnownResponses>();
  described.set(site, ofSite);
  let last = ofSite.get(operation);
  if (last?.revision !== revision) {
    const { paths, components } = documentOf(site, operation);
    const responses = paths[operation.path]?.[operation.method.toLowerCase()]?.responses;
    last = { revision, responses: responses && resolved(responses, components.responses) };
    ofSite.set(operation, last);
  }
  return last.responses;
}

/** The document with this operation alone, unless an extension amends the whole. */
function documentOf(site: Site, operation: Operation): OpenApiDocument {
  const { namespace, path, method } = operation;
  if (site.extensions.amendOpenApi) {
    // `OpenApiDocument` is the part of OpenAPI that the checks read.
    return openApiDocument(site, namespace) as unknown as OpenApiDocument;
  }
  const components = { schemas: {}, responses: {} };
  const entry = describeOperation(operation, site, components);
  const paths = { [path]: { [method.toLowerCase()]: entry } };
  // As above.
  return { components, paths } as unknown as OpenApiDocument;
}

function resolved(responses: Responses, shared: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { $ref, ...own }]) => [
      status,
      $ref === undefined ? own : shared[$ref.split('/').at(-1)!]!,
    ]),
  );
}
