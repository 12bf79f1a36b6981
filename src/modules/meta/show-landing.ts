import Type from 'typebox';
import { curlAnywhere } from '../../kernel/present/curl.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { page } from '../../kernel/present/html-page.ts';
import { Point } from '../../kernel/declare/point.ts';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { html, type Html } from '../../shared/html.ts';
import { openApiPublic } from './get-openapi.ts';

export const siteName = defineManagerSetting(
  'site.name',
  Type.String({ minLength: 1, maxLength: 100 }),
  'My store',
  'The name of the store, shown on pages and in mails.',
);

export const storeUrl = defineManagerSetting(
  'site.store_url',
  Type.String({ pattern: '^https?://[^\\s"<>]+$', maxLength: 2048 }),
  'https://store.example',
  'The URL of the store.',
);

export const showLanding = operation({
  method: 'GET',
  namespace: 'site',
  path: '/',
  summary: 'Show the front page',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: ({ site }) => rendered(site, 'landing', () => landing(site)),
});

/** A button on the front page; the first is the primary one. */
export interface LandingAction {
  readonly title: string;
  readonly href: string;
  isOffered(site: Site): boolean;
}

export const landingActions = new Point<LandingAction>('meta.landing-actions');

function landing(site: Site): HttpResponse<string> {
  const { settings, registry } = site;
  const name = settings.get(siteName);
  const store = settings.get(storeUrl);
  const offered = registry.contributions(landingActions).filter((action) => action.isOffered(site));
  const actions = [
    ...offered,
    ...(store === storeUrl.default ? [] : [{ title: 'Visit the store', href: store }]),
  ];
  return page(
    `${name}: affiliate program`,
    html`<h1>${name}</h1>
      <p class="lead">Recommend our store and earn a commission on every sale.</p>
      ${
        actions.length > 0 &&
        html`<p class="actions">
          ${actions.map(
            ({ title, href }, i) =>
              html`<a class="button${i > 0 && ' quiet'}" href="${href}">${title}</a>`,
          )}
        </p>`
      }
      ${settings.get(openApiPublic) && forDevelopers(site)}`,
  );
}

function forDevelopers(site: Site): Html {
  return html`<h2>For developers</h2>
    <p>
      The <a href="/docs">API reference</a> documents every operation with an example. Create a key
      with <code>./tributary keys create</code> and make your first request:
    </p>
    <pre>
${curlAnywhere(site)} -H "Authorization: Bearer $KEY" \\
  ${site.publicUrl}/svc/v2/me</pre>`;
}
