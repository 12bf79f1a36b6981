import type { IncomingHttpHeaders } from 'node:http';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { GuardedResponse } from '../../../src/shared/guarded-exchange.ts';
import { TransportError, type TransportErrorKind } from '../../../src/shared/transport-error.ts';
import {
  credentialsOf,
  receiverUrl,
  secretsOf,
  type ConnectedStore,
} from '../connections/open-connection.ts';
import { parsedJson } from '../mapping/payload.ts';
import { allowPrivate } from '../settings.ts';
import { storeClient } from './client.ts';
import { StoreError, type Connector, type StoreApi, type StoreRequest } from './connector.ts';

const REQUEST_MS_MAX = 30_000;
/** A page of 250 orders with many lines has a few MiB. */
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
const RETRY_AFTER_MS_MAX = 60 * 60_000;

const errors: Record<TransportErrorKind, string> = {
  dns:
    'The name of the store could not be resolved. A name that only the hosts file of this machine knows is found while ' +
    'Settings, Stores, Allow private addresses is on.',
  address:
    'The address of the store is not a public one. To connect a store in a private network, switch on Settings, ' +
    'Stores, Allow private addresses.',
  refused: 'The store refused the connection.',
  unreachable: 'The store could not be reached.',
  timeout: 'The store did not answer in time.',
  tls: 'No trusted TLS connection to the store could be made. Is its certificate valid?',
  reset: 'The store closed the connection without an answer.',
  invalid: 'The store did not answer in HTTP.',
  'too-large': "The head of the store's answer is too large.",
  failed: 'The request to the store failed.',
};

/** The API of a connected store. */
export function storeApiOf({ site, connector, connection }: ConnectedStore): StoreApi {
  const { url } = connection;
  return {
    ...shopAt(site, connector, { url, credentials: credentialsOf(site, connection) }),
    receiverUrl: receiverUrl(site, connection),
    secret: secretsOf(site, connection)[0] ?? '',
  };
}

/** The API of a store that is not connected yet. */
export function shopAt(
  site: Site,
  connector: Connector,
  { url, credentials }: Pick<StoreApi, 'url' | 'credentials'>,
): StoreApi {
  return {
    url,
    credentials,
    receiverUrl: '',
    secret: '',
    nowMs: site.clock(),
    request: (request) => requestStore(site, connector, url, request),
  };
}

async function requestStore(site: Site, connector: Connector, base: string, request: StoreRequest) {
  const url = addressOf(site, connector, base, request);
  const { method = 'GET' } = request;
  const { body, type } = bodyOf(request);
  const response = await answered(
    storeClient.of(site).request(url, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Tributary',
        ...(type !== undefined && { 'content-type': type }),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
      timeoutMs: REQUEST_MS_MAX,
      readsText: true,
      bytesMax: RESPONSE_BYTES_MAX,
    }),
  );
  refuseFailures(response, url, site.clock());
  return {
    status: response.status,
    headers: plainHeaders(response.headers),
    json: parsedJson(response.text),
    text: response.text,
  };
}

/** Credentials go to the store and to hosts that the connector names, and to no others that an answer may name. */
function addressOf(site: Site, connector: Connector, base: string, request: StoreRequest): URL {
  const isAbsolute = /^https?:\/\//i.test(request.url);
  const text = isAbsolute
    ? request.url
    : `${base.replace(/\/$/, '')}/${request.url.replace(/^\//, '')}`;
  const url = URL.parse(text);
  if (!url) throw new StoreError('failed', 'The address of the store is not valid.');
  for (const [name, value] of Object.entries(request.query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  const isOwn = base === '' || url.host === URL.parse(base)?.host;
  if (!isOwn && !connector.hosts?.includes(url.host)) {
    throw new StoreError('failed', `The store refers to another host, ${url.host}.`);
  }
  if (url.protocol !== 'https:' && !site.settings.get(allowPrivate)) {
    throw new StoreError(
      'failed',
      'The address of the store must start with https://. For a store on this machine, http works while Settings, ' +
        'Stores, Allow private addresses is on.',
    );
  }
  return url;
}

function bodyOf({ json, form }: StoreRequest): { body?: string; type?: string } {
  if (form) {
    const body = new URLSearchParams(form).toString();
    return { body, type: 'application/x-www-form-urlencoded' };
  }
  return json === undefined ? {} : { body: JSON.stringify(json), type: 'application/json' };
}

async function answered(response: Promise<GuardedResponse>): Promise<GuardedResponse> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new StoreError('unreachable', errors[error.error]);
  }
}

function refuseFailures(response: GuardedResponse, url: URL, nowMs: number): void {
  const { status, retryAfter, isCut } = response;
  // A store says in JSON what is wrong with credentials; a firewall sends a page.
  if (status === 403 && typeof parsedJson(response.text) !== 'object') {
    throw new StoreError(
      'failed',
      'A firewall or a security plugin of the store blocks this service (403). Allow requests with the user agent ' +
        '"Tributary" to its API; new credentials do not help.',
    );
  }
  if (status === 401 || status === 403) {
    const reason = `The store refused the credentials (${status}).`;
    throw new StoreError('credentials', reason, undefined, status);
  }
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    const waitMs = waitOf(retryAfter, nowMs);
    throw new StoreError('busy', 'The store asks to wait before the next request.', waitMs);
  }
  if (status >= 500) throw new StoreError('failed', `The store answered ${status}.`);
  if (status >= 300 && status < 400 && status !== 304) {
    const target = URL.parse(response.headers.location ?? '', url);
    const own = target && target.origin !== url.origin ? undefined : status;
    throw new StoreError('failed', redirection(target, url), undefined, own);
  }
  if (isCut) throw new StoreError('failed', "The store's answer is too large.");
}

function redirection(target: URL | null, url: URL): string {
  if (target && target.origin !== url.origin) {
    return `The store redirects to ${target.origin}. Connect that address instead.`;
  }
  return (
    'The store redirects requests to its API to another page. A plugin, such as one for security or for maintenance, ' +
    'does so.'
  );
}

/** Parses `Retry-After`: seconds or a date. */
function waitOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, RETRY_AFTER_MS_MAX) : undefined;
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
