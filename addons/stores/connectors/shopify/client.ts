import { isObject, objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type StoreApi, type StoreRequest, type StoreResponse } from '../connector.ts';
import { Throttle } from './throttle.ts';
import { withToken } from './token.ts';

/**
 * The version of the GraphQL Admin API that all queries are written for: the only place that names it. Shopify supports
 * a version for a year and then answers with the oldest one that it still has.
 */
const API_VERSION = '2026-07';

const TRIES_MAX = 4;

/** A query asks for more than Shopify answers at once. */
export class TooMuchAsked extends StoreError {}

/** Personal data that Shopify withholds on some plans: it answers with null and an error that names the path. */
const PERSONAL = new Set(['customer', 'email', 'billingAddress', 'shippingAddress']);

/** Runs a query or mutation of the Admin API as soon as there is room for its cost, and returns its data. */
export async function queryShopify(
  store: StoreApi,
  query: string,
  variables: Json = {},
): Promise<Json> {
  const throttle = Throttle.of(store);
  for (let tries = 1; ; tries += 1) {
    await throttle.waitForRoom(query, variables);
    const answer = await send(store, { query, variables });
    const nowMs = performance.now();
    throttle.note(query, variables, objectOf(objectOf(answer['extensions'])['cost']), nowMs);
    const error = objectsOf(answer['errors']).find((each) => !isWithheld(each));
    if (!error && isObject(answer['data'])) return answer['data'];
    if (!error) throw new StoreError('failed', 'Shopify did not answer with data.');
    if (codeOf(error) !== 'THROTTLED') throw refusalOf(error);
    // Others use the same app.
    const waitMs = throttle.waitMs(query, variables, nowMs);
    if (tries >= TRIES_MAX || waitMs === 0)
      throw new StoreError('busy', 'Shopify asks to wait.', waitMs || undefined);
  }
}

/** Why a mutation did not take what it was given. */
export function userErrorIn(answer: Json): string | undefined {
  const [error] = objectsOf(answer['userErrors']);
  if (!error) return undefined;
  const { field } = error;
  const name = Array.isArray(field) ? `${field.join('.')}: ` : '';
  return name + messageOf(error);
}

/** The number in an id such as gid://shopify/Order/123, by which deliveries name the same object. */
export function idIn(globalId: unknown): string | undefined {
  return /^gid:\/\/shopify\/\w+\/([^/?]+)/.exec(textOf(globalId) ?? '')?.[1];
}

async function send(store: StoreApi, json: Json): Promise<Json> {
  const request: StoreRequest = {
    method: 'POST',
    url: `/admin/api/${API_VERSION}/graphql.json`,
    json,
  };
  return bodyOf(await withToken(store, (headers) => store.request({ ...request, headers })));
}

/** A page of maintenance with the status 200 is a failure, not a store without orders. */
function bodyOf({ status, json }: StoreResponse): Json {
  if (status === 402) {
    throw new StoreError('failed', 'Shopify has frozen the shop until its bill is paid (402).');
  }
  if (status === 423) {
    throw new StoreError('failed', 'Shopify has locked the shop (423). Its support can tell why.');
  }
  if (status >= 300) {
    throw new StoreError('failed', `Shopify answered with the status ${status}.`);
  }
  if (!isObject(json)) throw new StoreError('failed', 'Shopify did not answer with JSON.');
  return json;
}

function isWithheld(error: Json): boolean {
  const { path } = error;
  if (codeOf(error) !== 'ACCESS_DENIED' || !Array.isArray(path)) return false;
  // Only the customer as a whole needs a scope of its own, which the error names if the app lacks it.
  const { requiredAccess } = objectOf(error['extensions']);
  if (path.at(-1) === 'customer' && requiredAccess !== undefined) return false;
  return path.some((name) => PERSONAL.has(String(name)));
}

function refusalOf(error: Json): StoreError {
  switch (codeOf(error)) {
    case 'ACCESS_DENIED':
      return new StoreError(
        'credentials',
        `Shopify denies the app access: ${messageOf(error)} Add the scope in Shopify and install the app again.`,
      );
    case 'MAX_COST_EXCEEDED':
      return new TooMuchAsked('failed', 'Shopify answers no query of this size.');
    default:
      return new StoreError('failed', `Shopify did not answer the request: ${messageOf(error)}`);
  }
}

function codeOf(error: Json): unknown {
  return objectOf(error['extensions'])['code'];
}

function messageOf(error: Json): string {
  return textOf(error['message'])?.slice(0, 200) ?? 'no reason given.';
}
