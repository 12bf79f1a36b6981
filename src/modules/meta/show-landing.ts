import Type from 'typebox';
import { operation, type Answer } from '../../kernel/operation.ts';
import { page } from '../../kernel/page.ts';
import { rendered } from '../../kernel/rendered.ts';
import { defineManagerSetting } from '../../kernel/setting.ts';
import type { Site } from '../../kernel/site.ts';
import { html } from '../../shared/html.ts';

export const siteName = defineManagerSetting(
  'site.name',
  Type.String({ minLength: 1, maxLength: 100 }),
  'My store',
  'The name of the store, as people read it.',
);

export const storeUrl = defineManagerSetting(
  'site.store_url',
  Type.String({ pattern: '^https?://[^\\s"<>]+$', maxLength: 2048 }),
  'https://store.example',
  'The address of the store.',
);

export const showLanding = operation({
  method: 'GET',
  namespace: 'site',
  path: '/',
  summary: 'The front page',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: ({ site }) => rendered(site, 'landing', () => landing(site)),
});

function landing(site: Site): Answer {
  const name = site.settings.get(siteName);
  return page(
    `${name}: affiliate program`,
    html`<h1>${name}</h1>
      <p>
        This is the affiliate program of
        <a href="${site.settings.get(storeUrl)}">${site.settings.get(storeUrl)}</a>.
      </p>
      <p>
        For developers: the <a href="/docs">API reference</a> and its
        <a href="/svc/v2/openapi">OpenAPI document</a>. A first call, with a key made by
        <code>./tributary keys create</code>:
      </p>
      <pre>curl -H "Authorization: Bearer $KEY" ${site.publicUrl}/svc/v2/me</pre>`,
  );
}
