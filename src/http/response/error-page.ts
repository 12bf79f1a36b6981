import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { page } from '../../kernel/present/html-page.ts';
import { html } from '../../shared/html.ts';
import { readerLanguage } from '../../shared/reader-language.ts';
import { errorWords, isDescribed } from './error-words.ts';

/** Whether to send an error as a page: the client accepts HTML, and the path is not part of the APIs. */
export function wantsPage({ raw }: FastifyRequest): boolean {
  return raw.headers.accept?.includes('text/html') === true && !raw.url!.startsWith('/svc/');
}

/** An error as a page in the reader's language, with the request id by which the operator finds it in the log. */
export function errorPage(
  { definition, message }: ApiError,
  { id, raw }: FastifyRequest,
  { registry }: Site,
): HttpResponse<string> {
  const { status, code } = definition;
  const language = readerLanguage(raw.headers) ?? 'en';
  const { statuses, other, frontPage, quote } = errorWords[language];
  const [title, text] = isDescribed(status) ? statuses[status] : [other, undefined];
  // Without the web app there is none, and the link would lead to another error page.
  const hasFrontPage = registry
    .activeOperations()
    .some((operation) => operation.method === 'GET' && operation.url === '/');
  return page(
    title,
    html`<h1>${title}</h1>
      ${text === undefined ? html`<p lang="en">${message}</p>` : html`<p>${text}</p>`}
      ${hasFrontPage && html`<p><a class="button" href="/">${frontPage}</a></p>`}
      <p class="hint">${quote} ${status}, <code>${code}</code>, <code>${id}</code></p>`,
    { status, language },
  );
}
