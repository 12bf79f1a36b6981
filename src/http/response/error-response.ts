import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/unavailable.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { causeOf } from '../../shared/limited-log.ts';
import { NoEntropyError } from '../../shared/secrets.ts';
import { whoOf } from '../request-log.ts';
import { errorPage, wantsPage } from './error-page.ts';
import { send } from './send-response.ts';

/** The errors of Fastify, by code, and the responses to them. */
const FRAMEWORK_ERRORS: Record<string, ApiError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new ApiError(generalErrors.payloadTooLarge),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new ApiError(generalErrors.unsupportedMediaType),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new ApiError(generalErrors.invalidJson, {
    message: 'The body has another length than Content-Length says.',
  }),
  FST_ERR_CTP_EMPTY_TYPE: new ApiError(generalErrors.unsupportedMediaType),
  FST_ERR_BAD_URL: new ApiError(generalErrors.noRoute),
  FST_ERR_MAX_PARAM_LENGTH: new ApiError(generalErrors.noRoute),
};

/**
 * The values of WWW-Authenticate (RFC 7617 requires the realm). Browsers are not offered Basic: they would
 * show their own dialog, and then send the password with every request, also with requests that other
 * sites cause.
 */
const BEARER = 'Bearer realm="Tributary"';
const BASIC = 'Basic realm="Tributary", charset="UTF-8"';

const RETRY_AFTER_S = 5;

/** Turns every error into a response. Only the log has the details of an unexpected error. */
export function sendError(error: unknown, reply: FastifyReply, site: Site): void {
  const refusal = withItsLimit(toApiError(error), reply.request);
  if (refusal.definition.status >= 500) {
    const { request } = reply;
    limitedLogOf(site).error(
      `request ${causeOf(error)}`,
      { err: error, requestId: request.id, route: request.operation?.url, ...whoOf(request) },
      'a request failed',
    );
  }
  if (refusal.definition.status === 403) noteRefused(reply.request, refusal.definition.code, site);
  const headers = reply.request.responseHeaders;
  const retryAfter = refusal.data['retry_after'];
  if (retryAfter !== undefined) headers.add('retry-after', String(retryAfter));
  if (refusal.definition.status === 401) {
    const isBrowser = reply.request.headers['sec-fetch-site'] !== undefined;
    headers.add('www-authenticate', isBrowser ? BEARER : `${BEARER}, ${BASIC}`);
  }
  if (!wantsPage(reply.request)) {
    return send(reply, refusal.definition.status, refusal.toBody());
  }
  const page = errorPage(refusal, reply.request, site);
  for (const name in page.headers) headers.set(name, page.headers[name]!);
  send(reply, refusal.definition.status, page.body);
}

/** An operation that reads bytes has a limit of its own. */
function withItsLimit(refusal: ApiError, { operation }: FastifyRequest): ApiError {
  const bytesMax = operation?.rawBody?.bytesMax;
  if (bytesMax === undefined || refusal.definition !== generalErrors.payloadTooLarge)
    return refusal;
  const message = `The request body is larger than ${bytesMax / 1024 / 1024} MiB.`;
  return new ApiError(refusal.definition, { message });
}

function noteRefused({ caller, operation }: FastifyRequest, code: string, site: Site): void {
  if (!caller?.person || !operation) return;
  for (const module of site.registry.modules) module.onRefused?.(site, { caller, operation, code });
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable) {
    return new ApiError(generalErrors.notWritable, { data: { retry_after: RETRY_AFTER_S } });
  }
  if (error instanceof NoEntropyError) return new ApiError(generalErrors.noEntropy);
  // Errors of Fastify have a code; any other value may be thrown too.
  const code = (error as { code?: unknown } | undefined)?.code;
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  return known ?? new ApiError(generalErrors.serverError);
}
