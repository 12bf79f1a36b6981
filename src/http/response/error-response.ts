import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/unavailable.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { page } from '../../kernel/present/html-page.ts';
import { TooLarge } from '../../shared/byte-size.ts';
import { html } from '../../shared/html.ts';
import { causeOf } from '../../shared/limited-log.ts';
import { readerLanguage } from '../../shared/reader-language.ts';
import { NoEntropyError } from '../../shared/secrets.ts';
import { textIn } from '../../shared/texts.ts';
import { whoOf } from '../request-log.ts';
import { bodyBytesMaxOf } from '../request/body.ts';
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
  const shown = errorPage(refusal, reply.request, site);
  for (const name in shown.headers) headers.set(name, shown.headers[name]!);
  send(reply, refusal.definition.status, shown.body);
}

/** An operation may have a limit of its own. */
function withItsLimit(refusal: ApiError, { operation, headers }: FastifyRequest): ApiError {
  if (!operation || refusal.definition !== generalErrors.payloadTooLarge) return refusal;
  const { message, bytesMax } = new TooLarge(bodyBytesMaxOf(operation, headers['content-type']));
  return new ApiError(refusal.definition, {
    message: `The request body ${message}.`,
    data: { bytes_max: bytesMax },
  });
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

/** Whether to send an error as a page: the client accepts HTML, and the path is not part of the APIs. */
function wantsPage({ raw }: FastifyRequest): boolean {
  return raw.headers.accept?.includes('text/html') === true && !raw.url!.startsWith('/svc/');
}

/** The statuses that a reader of a page can come across. */
const described = [401, 403, 404, 429, 500, 503] as const;

/** An error as a page in the reader's language, with the request id by which the operator finds it in the log. */
function errorPage(
  { definition, message }: ApiError,
  { id, raw }: FastifyRequest,
  { registry }: Site,
): HttpResponse<string> {
  const { status, code } = definition;
  const language = readerLanguage(raw.headers) ?? 'en';
  const known = described.find((one) => one === status);
  const title = textIn(language, `server.errorPage.${known ?? 'other'}.title`);
  // Without the web app there is none, and the link would lead to another error page.
  const hasFrontPage = registry
    .activeOperations()
    .some((operation) => operation.method === 'GET' && operation.url === '/');
  return page(
    title,
    html`<h1>${title}</h1>
      ${known ? html`<p>${textIn(language, `server.errorPage.${known}.text`)}</p>` : html`<p lang="en">${message}</p>`}
      ${hasFrontPage && html`<p><a class="button" href="/">${textIn(language, 'server.errorPage.frontPage')}</a></p>`}
      <p class="hint">
        ${textIn(language, 'server.errorPage.quote')} ${status}, <code>${code}</code>,
        <code>${id}</code>
      </p>`,
    { status, language },
  );
}
