import Type from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** Two rivers that join. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b6b53"/>
<path d="M9 7c0 7 7 6 7 13v6M23 7c0 7-7 6-7 13" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
</svg>`;

export const getIcon = operation({
  method: 'GET',
  namespace: 'site',
  path: '/icon.svg',
  summary: 'Get the icon of the pages',
  access: 'public',
  scope: null,
  response: Type.String(),
  contentType: 'image/svg+xml',
  handle: ({ site }) => iconOf(site),
});

export function iconOf(site: Site): HttpResponse<string> {
  const headers = { 'Content-Type': 'image/svg+xml; charset=utf-8' };
  return rendered(site, 'icon', () => new HttpResponse(ICON, { headers }));
}
