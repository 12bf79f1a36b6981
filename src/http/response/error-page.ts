import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { page } from '../../kernel/present/html-page.ts';
import { html } from '../../shared/html.ts';

const TITLES: Record<number, string> = {
  401: 'Please sign in',
  403: 'You may not see this page',
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Out of service for a moment',
};

/** Whether to send an error as a page: the client accepts HTML, and the path is not part of the APIs. */
export function wantsPage({ raw }: FastifyRequest): boolean {
  return raw.headers.accept?.includes('text/html') === true && !raw.url!.startsWith('/svc/');
}

/** An error as a page, with the request id by which the operator finds it in the log. */
export function errorPage(
  { definition, message }: ApiError,
  requestId: string,
): HttpResponse<string> {
  const { status, code } = definition;
  const title = TITLES[status] ?? 'This did not work';
  const text = status === 404 ? 'There is nothing at this address.' : message;
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="lead">${text}</p>
      <p><a href="/">Go to the front page</a></p>
      <p class="hint">Error ${status}, <code>${code}</code>, request <code>${requestId}</code></p>`,
    { status },
  );
}
