import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { idNamesOf } from '../src/http/request/path-ids.ts';
import { resolveSchema } from '../src/kernel/call/input-readers.ts';
import type { Operation } from '../src/kernel/declare/operation.ts';
import { openTestApp, refusal, type Reply } from './support/harness.ts';

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const { registry } = app.site;
const operations = registry.allOperations().filter((op) => op.namespace !== 'site');

const pathOf = ({ url }: Operation, id: string | number) => url.replaceAll(/\{\w+\}/g, String(id));
const bodyOf = ({ body }: Operation) => body && resolveSchema(body, registry);

/** The names of all parameters that a response reports as invalid. */
function named({ body }: Reply): Record<string, string> {
  const { params, invalid } = body.data;
  return { ...(Array.isArray(params) ? {} : params), ...invalid };
}

function takesText(schema: TSchema): boolean {
  const { type, anyOf } = schema as { type?: string; anyOf?: TSchema[] };
  return type === 'string' || (anyOf?.some(takesText) ?? false);
}

describe('an id in a path is digits without sign, leading zero or fraction', () => {
  /** Headers that may differ between two responses. */
  const shown = ({ status, headers, text }: Reply) => {
    const names = [...headers.keys()].filter(
      (name) => !/^(x-request-id|date|ratelimit)/.test(name),
    );
    return { status, text, headers: names.map((name) => [name, headers.get(name)]) };
  };
  const odd = ['0', '00', '01', '-1', '+1', '1.0', '1.5', '1e3', 'abc', '0x1', '1%20', '%00', '١'];
  const large = ['9007199254740992', '9007199254740993', '99999999999999999999'];

  for (const operation of operations.filter((op) => idNamesOf(op).length > 0)) {
    const { method, url } = operation;
    test(`${method} ${url} is an unknown path with any other id`, async () => {
      const unknown = shown(await app.call(`${pathOf(operation, 1)}/unknown`, { method, key }));
      assert.equal(unknown.status, 404);
      for (const id of [...odd, ...large]) {
        assert.deepEqual(
          shown(await app.call(pathOf(operation, id), { method, key })),
          unknown,
          id,
        );
        const anonymous = await app.call(pathOf(operation, id), { method });
        assert.deepEqual(shown(anonymous), unknown, `${id}, without credentials`);
      }
    });
  }

  test('the largest id is valid but does not exist', async () => {
    const reply = await app.call('/coupons/9007199254740991', { key });
    assert.equal(refusal(reply), '404 svc_api_not_found');
  });
});

describe('unknown fields of a body', () => {
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const { method, url, namespace } = operation;
    const isRefused = namespace === 'store';
    test(`${method} ${url} ${isRefused ? 'refuses' : 'ignores'} them`, async () => {
      const options = { method, key };
      for (const reply of [
        await app.call(pathOf(operation, 999), { ...options, json: { surpryse: 1 } }),
        await app.call(pathOf(operation, 999), { ...options, form: 'surpryse=1' }),
      ]) {
        if (isRefused) {
          assert.match(reply.body.code, /^rest_(invalid_param|missing_callback_param)$/);
          assert.match(named(reply)['surpryse']!, /^Unknown field\./);
        } else {
          assert.ok(!reply.text.includes('surpryse'), reply.text);
        }
      }
    });
  }

  const order = { date: '2026-03-01', status: 'completed', total: 10 };
  const nested: [string, string, string, object, Record<string, string>][] = [
    [
      'the error suggests the most similar known field',
      'POST',
      '/coupons',
      { code: 'A', fixed_per_ordr: 1 },
      { fixed_per_ordr: 'Unknown field. Did you mean fixed_per_order?' },
    ],
    [
      'in lists of an order',
      'PUT',
      '/orders/1',
      {
        ...order,
        items: [{ product_id: 1, quantity: 1, subtotal: 1, total: 1, totall: 1 }],
        refunds: [
          { id: 1, amount: 1, items: [{ product_id: 1, quantity: 1, total: 1, sku: 'x' }] },
        ],
      },
      {
        'items[0].totall': 'Unknown field. Did you mean total?',
        'refunds[0].items[0].sku': 'Unknown field.',
      },
    ],
    [
      'in the customer of an order',
      'PUT',
      '/orders/1',
      { ...order, customer: { id: 1, phone: '1' } },
      { 'customer.phone': 'Unknown field.' },
    ],
    [
      'in a profile and a coupon',
      'POST',
      '/affiliates',
      {
        login: 'x',
        email: 'x@x.example',
        profile: { websit: 'https://x.example', custom_fields: { anything: 1 } },
        coupon: { code: 'X', percent: 1 },
      },
      {
        'profile.websit': 'Unknown field. Did you mean website?',
        'coupon.percent': 'Unknown field.',
      },
    ],
    [
      'next to the name of a setting',
      'PATCH',
      '/settings',
      { 'site.nam': 'x' },
      { 'site.nam': 'Unknown field. Did you mean site.name?' },
    ],
  ];
  for (const [why, method, path, json, expected] of nested) {
    test(why, async () => {
      const reply = await app.call(`/svc/store/v1${path}`, { method, key, json });
      assert.equal(refusal(reply), '400 rest_invalid_param', reply.text);
      assert.deepEqual(reply.body.data.params, expected);
    });
  }

  test('refuse only that click or order of a list', async () => {
    const clicks = await app.call('/svc/store/v1/clicks', {
      method: 'POST',
      key,
      json: [{ coupon_id: 99, campain: 'x' }],
    });
    assert.deepEqual(clicks.body.refused[0].params, {
      campain: 'Unknown field. Did you mean campaign?',
    });
    const orders = [
      { ...order, order_id: 1, totall: 1 },
      { ...order, order_id: 2 },
    ];
    const json = { orders };
    const { body } = await app.call('/svc/store/v1/orders/batch', { method: 'POST', key, json });
    assert.deepEqual(
      body.results.map((result: any) => result.status),
      [400, 201],
    );
  });
});

describe('NUL in text is refused with the name of the parameter', () => {
  const NUL = 'a\u0000b';
  for (const operation of operations) {
    const { method, url } = operation;
    const query = Object.entries(operation.query?.properties ?? {}).filter(([, s]) => takesText(s));
    const body = Object.entries(bodyOf(operation)?.properties ?? {}).filter(([, s]) =>
      takesText(s),
    );
    if (query.length + body.length === 0) continue;
    test(`${method} ${url}`, async () => {
      for (const [name] of query) {
        const reply = await app.call(`${pathOf(operation, 1)}?${name}=a%00b`, { method, key });
        assert.match(named(reply)[name]!, /NUL/, name);
      }
      for (const [name] of body) {
        for (const sent of [
          { json: { [name]: NUL } },
          { json: { [name]: '\ud800' } },
          { form: `${name}=a%00b` },
          { form: `${name}=%FF` },
        ]) {
          const reply = await app.call(pathOf(operation, 1), { method, key, ...sent });
          assert.match(named(reply)[name]!, /NUL/, `${name} ${JSON.stringify(sent)}`);
        }
      }
    });
  }

  test('in free-form objects, lists and field names', async () => {
    const put = (json: unknown) =>
      app.call('/svc/store/v1/affiliates/3', { method: 'PATCH', key, json });
    const places: [unknown, string][] = [
      [{ profile: { custom_fields: { a: { b: [NUL] } } } }, 'profile.custom_fields.a.b[0]'],
      [{ profile: { custom_fields: { [NUL]: 1 } } }, `profile.custom_fields.${NUL}`],
      [{ groups: [NUL] }, 'groups[0]'],
    ];
    for (const [json, place] of places) {
      assert.deepEqual(Object.keys(named(await put(json))), [place]);
    }
  });

  test('in a referral link or the login of HTTP Basic, where nothing is found', async () => {
    assert.equal(refusal(await app.call('~/r/a%00b')), '400 rest_invalid_param');
    const basic = await app.call('/me', { basic: `${NUL}:x` });
    assert.equal(refusal(basic), '401 svc_api_unauthorized');
  });
});
