import Stripe from 'stripe';
import type { RawDelivery } from '../../connectors/connector.ts';
import { openFakeApi, type ApiAnswer, type ApiRequest, type FakeApi } from '../fake-api.ts';
import { FakeStripeAccount } from './fake-stripe-account.ts';
import type { StripeObject } from './stripe-objects.ts';

export const SECRET_KEY = 'sk_test_51FakeKeyOfTheAccount';
const LEVELS_MAX = 4;

/** The lists of the API with the fields by which they can be filtered. */
const LISTS: Record<string, { object: string; filters: string[] }> = {
  '/v1/checkout/sessions': {
    object: 'checkout.session',
    filters: ['payment_intent', 'subscription', 'status'],
  },
  '/v1/invoices': { object: 'invoice', filters: ['status'] },
  '/v1/invoice_payments': { object: 'invoice_payment', filters: [] },
  '/v1/payment_intents': { object: 'payment_intent', filters: [] },
  '/v1/refunds': { object: 'refund', filters: ['payment_intent'] },
  '/v1/disputes': { object: 'dispute', filters: ['payment_intent'] },
  '/v1/events': { object: 'event', filters: [] },
  '/v1/promotion_codes': { object: 'promotion_code', filters: ['code'] },
  '/v1/webhook_endpoints': { object: 'webhook_endpoint', filters: [] },
};

/** The API of Stripe over an account: keys, lists with the newest first, expansion of ids, webhook endpoints. */
export class FakeStripe {
  readonly api: FakeApi;
  readonly account = new FakeStripeAccount();
  pageSizeMax = 100;
  /** A restricted key may not read it. */
  accountAnswer: ApiAnswer = { body: { id: 'acct_1FakeAccount', object: 'account' } };
  readonly #sent = new Set<string>();

  private constructor(open: (answer: (request: ApiRequest) => ApiAnswer) => FakeApi) {
    this.api = open((request) => this.#answer(request));
  }

  static async open(): Promise<FakeStripe> {
    let answer: (request: ApiRequest) => ApiAnswer = () => ({ status: 503, body: {} });
    const api = await openFakeApi((request) => answer(request));
    return new FakeStripe((own) => {
      answer = own;
      return api;
    });
  }

  /** The events that were not taken yet. */
  takeEvents(): StripeObject[] {
    const events = this.account.all('event').filter(({ id }) => !this.#sent.has(id));
    for (const { id } of events) this.#sent.add(id);
    return events;
  }

  #answer(request: ApiRequest): ApiAnswer {
    const { method, path, headers, query } = request;
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return {
        status: 401,
        body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } },
      };
    }
    const expand = [...query].flatMap(([name, value]) => (name.startsWith('expand[') ? value : []));
    if (expand.some((each) => each.split('.').length > LEVELS_MAX)) {
      return refusal(400, 'property_expansion_max_depth');
    }
    if (method === 'POST') return this.#change(path, new URLSearchParams(request.body));
    if (path === '/v1/account') return this.accountAnswer;
    const list = LISTS[path];
    if (method === 'GET' && list) return this.#list(path, list, query, expand);
    const id = path.split('/').at(-1) ?? '';
    const found = this.account.objects.get(id);
    if (!found) return refusal(404, 'resource_missing');
    if (method === 'DELETE') this.account.objects.delete(id);
    return { body: this.#expanded(found, expand) };
  }

  #list(
    path: string,
    { object, filters }: { object: string; filters: string[] },
    query: URLSearchParams,
    expand: string[],
  ): ApiAnswer {
    const types = [...query].flatMap(([name, value]) => (name.startsWith('types[') ? value : []));
    const paymentId = query.get('payment[payment_intent]');
    const matching = this.account
      .all(object)
      .filter((each) => filters.every((name) => !query.has(name) || each[name] === query.get(name)))
      .filter((each) => types.length === 0 || types.includes(each['type']))
      .filter((each) => paymentId === null || each['payment'].payment_intent === paymentId)
      .filter((each) => each['created'] >= Number(query.get('created[gte]') ?? 0))
      .toReversed();
    const after = query.get('starting_after');
    const begin = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1;
    const limit = Math.min(Number(query.get('limit') ?? 10), this.pageSizeMax);
    const data = matching.slice(begin, begin + limit);
    const inData = expand.map((each) => each.replace(/^data\./, ''));
    return {
      body: {
        object: 'list',
        url: path,
        has_more: begin + limit < matching.length,
        data: data.map((each) => this.#expanded(each, inData)),
      },
    };
  }

  #expanded(object: StripeObject, paths: string[]): StripeObject {
    const copy = structuredClone(object);
    for (const path of paths) {
      this.#expand(copy, path.split('.'));
    }
    return copy;
  }

  #expand(object: StripeObject, [name = '', ...rest]: string[]): void {
    const replaced = (value: unknown): unknown => {
      const found = typeof value === 'string' ? this.account.objects.get(value) : undefined;
      const next = found ? structuredClone(found) : value;
      if (rest.length > 0 && typeof next === 'object' && next !== null) this.#expand(next, rest);
      return next;
    };
    const value = this.account.included(object['id'], name) ?? object[name];
    if (value !== undefined)
      object[name] = Array.isArray(value) ? value.map(replaced) : replaced(value);
  }

  #change(path: string, form: URLSearchParams): ApiAnswer {
    const fields = Object.fromEntries(form);
    const [, , resource = '', id] = path.split('/');
    if (id !== undefined) {
      const known = this.account.objects.get(id)!;
      if (form.has('disabled')) known['status'] = 'enabled';
      if (form.has('active')) known['active'] = form.get('active') === 'true';
      if (form.has('enabled_events[0]')) known['enabled_events'] = numbered(form, 'enabled_events');
      return { body: known };
    }
    switch (resource) {
      case 'webhook_endpoints': {
        const enabled_events = numbered(form, 'enabled_events');
        const endpoint = this.account.add('we', 'webhook_endpoint', {
          url: fields['url'],
          status: 'enabled',
          enabled_events,
        });
        return { body: { ...endpoint, secret: `whsec_${endpoint.id}` } };
      }
      case 'coupons': {
        const coupon = fields['id'] ?? '';
        if (this.account.objects.has(coupon)) return refusal(400, 'resource_already_exists');
        return { body: this.account.add('co', 'coupon', { ...fields }) };
      }
      default:
        return {
          body: this.account.add('promo', 'promotion_code', {
            code: fields['code'],
            coupon: fields['promotion[coupon]'],
            active: true,
          }),
        };
    }
  }
}

function numbered(form: URLSearchParams, name: string): string[] {
  return [...form].flatMap(([key, value]) => (key.startsWith(`${name}[`) ? value : []));
}

function refusal(status: number, code: string): ApiAnswer {
  return { status, body: { error: { type: 'invalid_request_error', code } } };
}

/** Signed by the SDK of Stripe. */
export function signed(event: object, secret: string, atMs: number): RawDelivery {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(atMs / 1_000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return {
    body: Buffer.from(payload),
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
  };
}
