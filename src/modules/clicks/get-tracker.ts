import Type from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { scriptOf } from '../web/index.ts';
import { codeParametersOf, cookieDays, subParametersOf } from './settings.ts';

/** How long browsers and proxies use the script without asking, so also how long a changed setting takes. */
const CACHED_S = 600;

export const getTracker = operation({
  method: 'GET',
  namespace: 'site',
  path: '/t.js',
  summary: 'Get the script that a store includes to record clicks and remember them for its orders',
  access: 'public',
  scope: null,
  unlimited: true,
  response: Type.String(),
  contentType: 'text/javascript',
  handle({ site }) {
    return rendered(site, 't.js', () => {
      const parameters = codeParametersOf(site);
      const days = site.settings.get(cookieDays);
      const subs = Object.fromEntries(
        subParametersOf(site).filter(([name, field]) => name !== field),
      );
      // The build has made the script a function of these.
      const call = `(${JSON.stringify({ parameters, days, subs })});`;
      return new HttpResponse(scriptOf('tracker').trimEnd() + call, {
        headers: {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Cache-Control': `public, max-age=${CACHED_S}`,
          // Pages of the store load it, which are on another host.
          'Cross-Origin-Resource-Policy': 'cross-origin',
        },
      });
    });
  },
});
