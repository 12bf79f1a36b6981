import { html, type Html } from '../../../shared/html.ts';
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
  /** What most operations can answer with. */
  errors: DocumentedError[];
  api: 'v2' | 'store';
}

/** What holds for every operation, told once before them. */
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
  return html`<div class="told">
      <p>
        Send an API key with every request, over HTTPS:
        <code>Authorization: Bearer svc_…</code>. An administrator creates it with
        <a href="/docs#post_keys"><code>POST /keys</code></a> or on the command line with
        <code>./tributary keys create</code>, and it is shown once.
      </p>
      <p>
        A key acts for its user and can do what that user can, as far as its scopes go.
        <code>read</code> reads, <code>write</code> changes data, <code>manage</code> is for keys,
        webhooks and settings. A login with an application password (HTTP Basic) works too and has
        every scope.
      </p>
      <p>
        A record that is not yours answers <code>404</code>, like one that does not exist. After ten
        failed attempts an address is locked out for a while.
      </p>
    </div>
    <div class="shown">
      ${codeBox(
        'A first request',
        `curl '${new URL('/svc/v2/me', base).href}' \\\n  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}'`,
        'A first request',
      )}
      ${
        mayBeOwnCertificate &&
        html`<p class="note">
          With the certificate that the service made for this machine, add
          <code>--cacert FILE</code>: the service prints its name when it starts.
        </p>`
      }
    </div>`;
}

function conventions(api: 'v2' | 'store'): Html {
  return html`<div class="told">
    <p>
      Requests and responses are JSON. Parameters of a <code>GET</code> go in the query string,
      those of other methods in a JSON body with <code>Content-Type: application/json</code>.
      ${
        api === 'store'
          ? 'A field that is not known is refused, and the error names the nearest known one.'
          : 'Fields that are not known are ignored.'
      }
    </p>
    <p>
      Money is a plain number in the store's currency. Dates in requests are
      <code>YYYY-MM-DD</code>; times in responses are <code>YYYY-MM-DDTHH:MM:SS</code> in the site's
      time zone, without an offset.
    </p>
    <p>
      A <code>POST</code> with the header <code>Idempotency-Key</code> can be sent again after a
      lost connection: it is carried out once, and the first response is repeated.
    </p>
  </div>`;
}

function pagination(base: string): Html {
  return html`<div class="told">
      <p>
        Lists are plain arrays. <code>page</code> starts at 1; <code>per_page</code> is 1 to 100,
        and 20 when not given. The header <code>X-Svc-Total</code> says how many items match,
        <code>X-Svc-TotalPages</code> how many pages there are. A page past the end is an empty
        list.
      </p>
    </div>
    <div class="shown">
      ${codeBox(
        'The second page',
        `curl -i '${new URL('/svc/v2/affiliates', base).href}?page=2&per_page=50' \\\n  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}'`,
        'The second page',
      )}
    </div>`;
}

function errorGuide(errors: DocumentedError[]): Html {
  const example = {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): per_page',
    data: { status: 400, params: { per_page: 'must be <= 100' } },
  };
  return html`<div class="told">
      <p>
        A refused request changes nothing. Its response has a <code>code</code> for programs, a
        <code>message</code> for people, and in <code>data.params</code> the faulty parameters with
        the reason for each. Any operation may answer with these; its own are listed with it. After
        a <code>429</code> wait as many seconds as the header <code>Retry-After</code> says.
      </p>
      ${errorTable(errors, { anchors: true })}
    </div>
    <div class="shown">${codeBox('An error', coloured(example), 'An error')}</div>`;
}
