import type { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { page } from '../../../kernel/present/html-page.ts';
import { html } from '../../../shared/html.ts';

/** No administrator exists, and the link is missing, expired or wrong. */
export function setupWithoutLink(): HttpResponse<string> {
  const body = html`<h1>Setup needs its link</h1>
    <p>
      Tributary is not set up yet. The one-time link is in the terminal, or in the output of the
      service, where it was started. It works for 30 minutes, and a newer link ends the older one.
    </p>
    <p>For a new link, run this where Tributary is installed:</p>
    <pre>./tributary setup</pre>
    <p>Or start the service again: it prints a new one.</p>`;
  return page('Set up Tributary', body, { status: 410 });
}

/** An administrator exists, so the setup is closed. */
export function setupDone(): HttpResponse<string> {
  const body = html`<h1>Setup is done</h1>
    <p>This service is set up already, so its setup link is no longer valid.</p>
    <p>See the <a href="/">front page</a> or the <a href="/docs">API reference</a>.</p>`;
  return page('Set up Tributary', body, { status: 410 });
}
