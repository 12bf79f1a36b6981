import { curlHere } from '../../../kernel/present/curl.ts';
import type { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { page } from '../../../kernel/present/html-page.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { html } from '../../../shared/html.ts';

interface Made {
  login: string;
  /** The first key, which only this page shows. */
  token: string;
  cookie: string;
}

/** The page after the setup: the first key, the first order and the next steps. */
export function welcomePage(site: Site, { login, token, cookie }: Made): HttpResponse<string> {
  const body = html`<h1>Your store is set up</h1>
    <p>You are signed in as <strong>${login}</strong>. Three lines lead to a first commission.</p>
    <h2>1. Keep your API key</h2>
    <p>It may read everything and send orders, and it is shown <strong>only now</strong>:</p>
    <pre class="wrap"><code id="key">${token}</code></pre>
    <h2>2. Try it</h2>
    ${site.publicUrl.startsWith('http:') && html`<p class="fault">TLS is off here, and keys are refused over plain HTTP: put a proxy with TLS in front and set <code>TRIBUTARY_PUBLIC_URL</code> to its address first.</p>`}
    <p>Paste these lines into a terminal on the machine that runs Tributary. Add an affiliate:</p>
    <pre class="wrap"><code>${addAffiliate(site, token)}</code></pre>
    <p>Send an order with the affiliate's coupon:</p>
    <pre class="wrap"><code>${sendOrder(site, token)}</code></pre>
    <p>See what the affiliate has earned:</p>
    <pre class="wrap"><code>${seeCommission(site, token)}</code></pre>
    <h2>3. Go on</h2>
    <ul>
      <li>Send your store's orders: every call is in the <a href="/docs">API reference</a>.</li>
      <li>Invite affiliates: they apply at <a href="/apply">${site.publicUrl}/apply</a>.</li>
      <li>
        Set up mail with <code>TRIBUTARY_SMTP_URL</code> and <code>TRIBUTARY_MAIL_FROM</code>; until
        then mails wait.
      </li>
      <li>Back up every day: <code>./tributary backup FILE</code>.</li>
      <li>Another key: <code>./tributary keys create --user ${login}</code>.</li>
    </ul>`;
  return page('Your store is set up', body, {
    headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' },
  });
}

const COUPON = 'FRIEND10';

function addAffiliate(site: Site, token: string): string {
  const affiliate = { login: 'friend', email: 'friend@example.com', coupon: { code: COUPON } };
  return `${call(site, token, '/svc/store/v1/affiliates')} ${withBody(affiliate)}`;
}

function sendOrder(site: Site, token: string): string {
  const order = {
    status: 'completed',
    date: site.calendar.toLocal(site.clock()),
    total: 100,
    coupon_codes: [COUPON],
  };
  return `${call(site, token, '/svc/store/v1/orders/1')} -X PUT ${withBody(order)}`;
}

function seeCommission(site: Site, token: string): string {
  return call(site, token, '/svc/v2/coupons');
}

function call(site: Site, token: string, path: string): string {
  return `${curlHere(site)} -H 'Authorization: Bearer ${token}' ${site.publicUrl}${path}`;
}

function withBody(value: unknown): string {
  return `-H 'Content-Type: application/json' -d '${JSON.stringify(value)}'`;
}
