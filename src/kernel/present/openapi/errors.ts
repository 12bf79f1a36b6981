import { idempotencyMismatch } from '../../call/idempotency-key.ts';
import { invalidParameter, missingParameters } from '../../call/parameters.ts';
import { generalErrors, type ErrorDefinition } from '../../declare/errors.ts';
import { refTo, type Json } from './schemas.ts';

/** Short names for responses whose errors are all shared by many operations. */
const SHARED_NAMES: Record<string, string> = nameSets([
  ['InvalidParameters', 'invalidParam'],
  ['IncompleteParameters', 'invalidParam', 'missingParam'],
  ['InvalidBody', 'invalidParam', 'invalidJson'],
  ['IncompleteBody', 'invalidParam', 'missingParam', 'invalidJson'],
  ['Forbidden', 'forbidden'],
  ['ReadForbidden', 'forbidden', 'insufficientScope'],
  ['ChangeForbidden', 'forbidden', 'insufficientScope', 'csrfRequired', 'crossSite'],
  [
    'AffiliateChangeForbidden',
    'forbidden',
    'insufficientScope',
    'csrfRequired',
    'crossSite',
    'suspended',
  ],
  ['PublicChangeForbidden', 'forbidden', 'csrfRequired', 'crossSite', 'suspended'],
  ['UnknownPath', 'noRoute'],
  ['NotFound', 'noRoute', 'notFound'],
  ['RecordNotFound', 'notFound'],
  ['PayloadTooLarge', 'payloadTooLarge'],
  ['UnsupportedMediaType', 'unsupportedMediaType'],
  ['TooManyRequests', 'rateLimited', 'lockedOut'],
  ['ServerError', 'serverError'],
  ['NotWritable', 'notWritable'],
]);

const STATUS_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'ServerError',
  501: 'NotImplemented',
  502: 'BadGateway',
  503: 'Unavailable',
};

const generalCodes: readonly string[] = Object.values(generalErrors).map(({ code }) => code);
const shared = new Set<string>([...generalCodes, idempotencyMismatch.code]);
// Only a few operations respond with these two, so their responses are named like an operation's own.
shared.delete(generalErrors.noChange.code);
shared.delete(generalErrors.noEntropy.code);

/** Sorts errors independently of the order of declaration: the general ones first, then by code. */
export function inFixedOrder(errors: readonly ErrorDefinition[]): ErrorDefinition[] {
  const rank = ({ code }: ErrorDefinition) => {
    const index = generalCodes.indexOf(code);
    return index === -1 ? generalCodes.length : index;
  };
  return errors.toSorted((a, b) => rank(a) - rank(b) || a.code.localeCompare(b.code));
}

/**
 * The component name of the response with these errors of one status. It is derived from the error codes,
 * so that it does not change when operations are added or removed, and operations with the same errors
 * share it.
 */
export function errorResponseName(
  status: number,
  errors: readonly ErrorDefinition[],
  operationId: string,
): string {
  if (status === 401 && errors.every(({ code }) => shared.has(code))) return 'Unauthorized';
  const general = errors.filter(({ code }) => shared.has(code));
  const own = errors.filter(({ code }) => !shared.has(code));
  if (own.length > 2) return `${pascal(operationId)}${STATUS_NAMES[status] ?? status}`;
  const known = SHARED_NAMES[keyOf(general.map(({ code }) => code))];
  const rest = known === undefined ? general.map(({ code }) => pascal(code)) : [known];
  return [...own.map(({ code }) => pascal(code)), ...rest].join('Or');
}

/** The statuses whose responses have a Retry-After header. */
const RETRIED = new Set([429, 503]);

/** The OpenAPI response for these errors of one status. */
export function errorResponse(status: number, errors: readonly ErrorDefinition[]): Json {
  return {
    description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(RETRIED.has(status) && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
    },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['code', 'message', 'data'],
          properties: {
            code: {
              type: 'string',
              enum: errors.map(({ code }) => code),
              description: 'The error code, for programs.',
            },
            message: { type: 'string', description: 'The error message, for people.' },
            data: refTo(status === 429 ? 'RetryErrorData' : 'ErrorData'),
          },
        },
        examples: Object.fromEntries(
          errors.map((error) => [error.code, { value: exampleOf(error) }]),
        ),
      },
    },
  };
}

function exampleOf({ code, message, status }: ErrorDefinition): Json {
  if (code === generalErrors.invalidParam.code) return { ...invalidParameterExample };
  if (code === generalErrors.missingParam.code)
    return { ...missingParameters(['status']).toBody() };
  return { code, message, data: { status, ...(status === 429 && { retry_after: 60 }) } };
}

/** The error body for a request with one invalid parameter. */
export const invalidParameterExample = invalidParameter('per_page', 'must be <= 100').toBody();

function nameSets(
  sets: [name: string, ...errors: (keyof typeof generalErrors)[]][],
): Record<string, string> {
  return Object.fromEntries(
    sets.map(([name, ...errors]) => [
      keyOf(errors.map((error) => generalErrors[error].code)),
      name,
    ]),
  );
}

function keyOf(codes: readonly string[]): string {
  return codes.toSorted().join();
}

function pascal(words: string): string {
  return words
    .replace(/^(svc_api|rest)_/, '')
    .replaceAll(/(?:^|[_.-])(\w)/g, (_, first: string) => first.toUpperCase());
}
