import Type from 'typebox';
import { defineSetting } from '../declare/setting.ts';

const RATE_MAX = 1_000_000_000;

export const ratePerMinute = defineSetting(
  'api.rate_per_minute',
  Type.Integer({ minimum: 1, maximum: RATE_MAX }),
  120,
  'Requests per minute for each API key or signed-in user. Pages of the portal and the console have their own limit.',
);

export const pageRatePerMinute = defineSetting(
  'api.page_rate_per_minute',
  Type.Integer({ minimum: 1, maximum: RATE_MAX }),
  1200,
  'Requests per minute to /svc/ from the pages of one session, the portal or the console in a browser. All sessions of a ' +
    'user together have twice as many.',
);

export const anonymousRatePerMinute = defineSetting(
  'api.anonymous_rate_per_minute',
  Type.Integer({ minimum: 1, maximum: RATE_MAX }),
  30,
  'Requests per minute for all callers without credentials together.',
);

export const siteRatePerMinute = defineSetting(
  'api.site_rate_per_minute',
  Type.Integer({ minimum: 1, maximum: RATE_MAX }),
  600,
  'Requests per minute from one network (an IPv4 address, an IPv6 /64) to paths outside /svc/: ' +
    'pages, the application form and sign-in. Referral links, /healthz and /readyz are not limited.',
);
