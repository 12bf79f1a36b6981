import type { Module } from '../../declare/module.ts';
import { namespacePaths, type Namespace } from '../../declare/operation.ts';
import type { Site } from '../../declare/site.ts';
import type { Json } from './schemas.ts';

export const apiVersions: Record<Namespace, string> = { v2: '2.0.0', store: '1.0.0', site: '' };

const CONVENTIONS = [
  'Send an API key (`Authorization: Bearer svc_…`), or a login with an application password (HTTP Basic), ' +
    'over HTTPS.',
  '`x-access` says who may call an operation. `public`: anyone. `user`: anyone who is signed in. `owner`: ' +
    'the affiliate whose record it is, and administrators; for others the record does not exist (404). ' +
    '`admin`: administrators and managers. `plugin-admin`: administrators only.',
  '`x-scope` is the scope that an API key needs: `read` to read, `write` to change data, `manage` for keys, ' +
    'settings and what else the program runs by. Operations without it need none. An application password has all scopes.',
  'Lists are plain arrays, in pages of `per_page` items; `X-Svc-Total` and `X-Svc-TotalPages` hold the ' +
    'totals. Money is a plain number in the currency of the store. Times are those of the site, without an offset.',
  'Every refusal has the same shape: `code` for programs, `message` for people, `data` with the status and, ' +
    'where they are known, the faulty parameters. Every answer names its request in `X-Request-Id` and what ' +
    'is left of the allowance in `RateLimit`; a 429 says in `Retry-After` how long to wait. ' +
    'Operations with `x-long` wait for each other: two of a user are answered at a time, 20 wait, and more get 429.',
  'A POST with an `Idempotency-Key` can be sent again without doing it twice.',
];

export function infoOf(namespace: Namespace): Json {
  const isStore = namespace === 'store';
  const purpose = isStore
    ? 'Everything else that the console, the portal and your store do: orders, clicks, affiliates, rewards, payouts, emails and settings.'
    : 'Affiliates, coupons, commissions, payouts and events of an affiliate program.';
  return {
    title: isStore ? 'Tributary store API' : 'Tributary affiliate program API',
    version: apiVersions[namespace],
    summary: purpose,
    description: [purpose, ...CONVENTIONS].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

export function serversOf(site: Site, namespace: Namespace): Json[] {
  return [{ url: site.publicUrl + namespacePaths[namespace], description: 'This installation.' }];
}

/** One tag per module, in the order of the modules. */
export function tagsOf(modules: readonly Module[]): Json[] {
  return modules.map(({ name, summary }) => ({ name, description: `${summary}.` }));
}

export const SECURITY_SCHEMES = {
  bearerApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, over HTTPS only. The scopes listed with an operation are those that the key needs.',
  },
  basicAppPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'Login or email address with an application password, over HTTPS only.',
  },
};
