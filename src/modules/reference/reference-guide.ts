import { invalidParameterExample } from '../../kernel/present/openapi/errors.ts';
import { html, type Html } from '../../shared/html.ts';
import { KEY_PLACEHOLDER } from './reference-curl.ts';
import type { DocumentedError } from './reference-document.ts';
import { coloured } from './reference-example.ts';
import { codeBox, errorTable } from './reference-operation.ts';

export interface GuideSection {
  id: string;
  title: string;
  body: Html;
}

interface GuideFacts {
  base: string;
  /** Errors that most operations can return. */
  errors: DocumentedError[];
  api: 'v2' | 'store';
}

/** Sections about all operations, shown before them. */
export function guideOf({ base, errors, api }: GuideFacts): GuideSection[] {
  return [
    { id: 'authentication', title: 'Authentication', body: authentication(base) },
    { id: 'conventions', title: 'Conventions', body: conventions(api) },
    { id: 'pagination', title: 'Pagination', body: pagination(base) },
    { id: 'errors', title: 'Errors', body: errorGuide(errors) },
  ];
}

function authentication(base: string): Html {
  const { protocol, hostname } = new URL(base);
  const mayBeOwnCertificate = protocol === 'https:' && hostname === 'localhost';
  return html`<div class="text">
      <p>
        Send an API key with every request, over HTTPS:
        <code>Authorization: Bearer svc_…</code>. An administrator creates it with
        <a href="/docs#post_keys"><code>POST /keys</code></a> or on the command line with
        <code>./tributary keys create</code>; it is shown only once.
      </p>
      <p>
        A key has the permissions of its user, limited by its scopes: <code>read</code> to read
        data, <code>write</code> to change data, <code>manage</code> for keys, webhooks and
        settings. HTTP Basic authentication with a login and an application password works too and
        has all scopes.
      </p>
      <p>
        Resources of other users return <code>404</code>, as if they did not exist. After ten failed
        attempts, an IP address is locked out for a while.
      </p>
    </div>
    <div class="example">
      ${codeBox(
        'A first request',
        `curl '${new URL('/svc/v2/me', base).href}' \\\n  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}'`,
        'A first request',
      )}
      ${
        mayBeOwnCertificate &&
        html`<p class="note">
          With the self-signed certificate, add <code>--cacert FILE</code>. The service prints the
          file name when it starts.
        </p>`
      }
    </div>`;
}

function conventions(api: 'v2' | 'store'): Html {
  return html`<div class="text">
    <p>
      Requests and responses are JSON. Parameters of a <code>GET</code> go in the query string,
      those of other methods in a JSON body with <code>Content-Type: application/json</code>.
      ${
        api === 'store'
          ? 'Unknown fields are rejected; the error suggests the most similar known field.'
          : 'Unknown fields are ignored.'
      }
    </p>
    <p>
      Money is a plain number in the store's currency. Dates in requests are
      <code>YYYY-MM-DD</code>; times in responses are <code>YYYY-MM-DDTHH:MM:SS</code> in the site's
      time zone, without an offset.
    </p>
    <p>
      A <code>POST</code> with an <code>Idempotency-Key</code> header can safely be retried after a
      lost connection: it is executed once, and the first response is returned again.
    </p>
  </div>`;
}

function pagination(base: string): Html {
  return html`<div class="text">
      <p>
        Lists are JSON arrays. <code>page</code> starts at 1; <code>per_page</code> is between 1 and
        100, 20 by default. The header <code>X-Svc-Total</code> contains the number of matching
        items, <code>X-Svc-TotalPages</code> the number of pages. A page past the end is empty.
      </p>
    </div>
    <div class="example">
      ${codeBox(
        'The second page',
        `curl -i '${new URL('/svc/v2/affiliates', base).href}?page=2&per_page=50' \\\n  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}'`,
        'The second page',
      )}
    </div>`;
}

function errorGuide(errors: DocumentedError[]): Html {
  return html`<div class="text">
      <p>
        A request that fails changes nothing. The response contains a <code>code</code> for
        programs, a <code>message</code> for people, and the invalid parameters with a reason for
        each in <code>data.params</code>. Any operation can return the errors below; others are
        listed with their operations. After a <code>429</code>, wait for the number of seconds in
        the <code>Retry-After</code> header.
      </p>
      ${errorTable(errors, { anchors: true })}
    </div>
    <div class="example">
      ${codeBox('An error', coloured(invalidParameterExample), 'An error')}
    </div>`;
}
