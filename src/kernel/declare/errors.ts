/** An error that operations may respond with. The error reference is generated from these. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** The details of an error. `params` and `invalid` name the invalid parameters. */
export interface ErrorData {
  readonly params?: Record<string, string> | string[];
  readonly invalid?: Record<string, string>;
  readonly [field: string]: unknown;
}

/** Thrown to refuse a request. The transaction is rolled back. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly definition: ErrorDefinition;
  readonly data: ErrorData;

  constructor(
    definition: ErrorDefinition,
    detail: { message?: string; data?: ErrorData; cause?: unknown } = {},
  ) {
    super(detail.message ?? definition.message, { cause: detail.cause });
    this.definition = definition;
    this.data = detail.data ?? {};
  }

  toBody(): ErrorBody {
    const { code, status } = this.definition;
    return { code, message: this.message, data: { status, ...this.data } };
  }
}

/** The details that a batch repeats in the result of a refused item. */
export function itemErrors({ data: { params, invalid } }: ApiError) {
  return { ...(params && { params }), ...(invalid && { invalid }) };
}

export interface ErrorBody {
  code: string;
  message: string;
  data: { status: number } & ErrorData;
}

export function defineError(code: string, status: number, message: string): ErrorDefinition {
  return { code, status, message };
}

/** The error codes of the host platform, and those that any operation may respond with. */
export const generalErrors = {
  noRoute: defineError(
    'rest_no_route',
    404,
    'No route was found matching the URL and request method.',
  ),
  badRequest: defineError('rest_bad_request', 400, 'The request is not valid HTTP.'),
  requestTimeout: defineError('rest_request_timeout', 408, 'The request took too long to arrive.'),
  expectationFailed: defineError(
    'rest_expectation_failed',
    417,
    'The only supported Expect header is 100-continue.',
  ),
  headersTooLarge: defineError(
    'rest_headers_too_large',
    431,
    'The headers of the request are larger than 16 KiB.',
  ),
  invalidParam: defineError('rest_invalid_param', 400, 'Invalid parameter(s).'),
  missingParam: defineError('rest_missing_callback_param', 400, 'Missing parameter(s).'),
  invalidJson: defineError('rest_invalid_json', 400, 'The JSON body is malformed.'),
  payloadTooLarge: defineError(
    'rest_payload_too_large',
    413,
    'The request body is larger than 1 MiB.',
  ),
  unsupportedMediaType: defineError(
    'rest_unsupported_media_type',
    415,
    'Send the body as application/json or application/x-www-form-urlencoded.',
  ),
  unauthorized: defineError('svc_api_unauthorized', 401, 'Sign in or send valid credentials.'),
  httpsRequired: defineError(
    'svc_api_https_required',
    401,
    'Credentials are accepted over HTTPS only. This one was sent unencrypted: replace it.',
  ),
  secondFactorRequired: defineError(
    'svc_api_second_factor_required',
    401,
    'The password is right. Send the sign_in_token with a code or a passkey.',
  ),
  secondFactorSetupRequired: defineError(
    'svc_api_second_factor_setup_required',
    403,
    'Set up a second factor first: this store requires one of administrators.',
  ),
  forbidden: defineError('svc_api_forbidden', 403, 'You are not allowed to do this.'),
  insufficientScope: defineError('svc_api_insufficient_scope', 403, 'The API key lacks a scope.'),
  suspended: defineError(
    'svc_api_suspended',
    403,
    'This affiliate is suspended and may only read.',
  ),
  viewOnly: defineError(
    'svc_api_view_only',
    403,
    'You are looking at the portal of an affiliate. Nothing can be changed there.',
  ),
  csrfRequired: defineError(
    'svc_api_csrf_required',
    403,
    'A signed-in browser must send the header X-Svc-CSRF with the token of its session.',
  ),
  crossSite: defineError(
    'svc_api_cross_site',
    403,
    'Cross-site requests cannot make changes with an application password.',
  ),
  wrongNamespace: defineError(
    'svc_api_key_wrong_namespace',
    403,
    'API keys may be used under /svc/ only.',
  ),
  notFound: defineError('svc_api_not_found', 404, 'Not found.'),
  callerGone: defineError(
    'svc_api_caller_gone',
    408,
    'The connection was closed before the request was processed. Nothing was changed.',
  ),
  changedMeanwhile: defineError(
    'svc_api_changed_meanwhile',
    412,
    'Another user has changed it since. Nothing was saved.',
  ),
  conflict: defineError(
    'svc_api_conflict',
    409,
    'Another request changed it at the same time. Nothing was saved.',
  ),
  noChange: defineError('svc_api_no_change', 400, 'It already has this status.'),
  rateLimited: defineError(
    'svc_api_rate_limited',
    429,
    'Too many requests. Try again in a minute.',
  ),
  lockedOut: defineError(
    'svc_api_too_many_auth_failures',
    429,
    'Too many failed attempts to sign in from this address.',
  ),
  serverError: defineError('svc_api_server_error', 500, 'An internal error occurred.'),
  notWritable: defineError(
    'svc_api_not_writable',
    503,
    'Changes cannot be stored at the moment. Try again in a few seconds.',
  ),
  noEntropy: defineError('svc_api_no_entropy', 500, 'A secure token could not be generated.'),
} as const;

/** What was looked up. Without it the request is refused as not found; the operation declares that error. */
export function requireFound<T extends object>(found: T | null | undefined): T {
  if (!found) throw new ApiError(generalErrors.notFound);
  return found;
}
