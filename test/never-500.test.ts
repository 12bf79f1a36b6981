import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testServer } from './postgres/databases.ts';
import { openTestApp } from './support/harness.ts';
import { fc } from './support/seeded-random.ts';

const app = await openTestApp();
/** A new key for each test, because an operation may revoke the one it is called with. */
const newKey = () => app.key('admin', 'read,write,manage');
const operations = app.site.registry.allOperations().filter((op) => op.namespace !== 'site');

/** Values that often break programs, and random ones. */
const odd = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e999', 'null', '\u0000', '../..', '%', '🧀', '[]', 'true'),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer().map(String),
);
const oddJson = fc.oneof(fc.jsonValue({ maxDepth: 3 }), odd);
/** Fewer on PostgreSQL: most inputs are refused before any database is asked. */
const runs = { numRuns: testServer() === undefined ? 12 : 6 };

describe('no request gets a 5xx response', () => {
  for (const [i, operation] of operations.entries()) {
    // Each from its own address: some operations check a password, and wrong ones lock out an address.
    const headers = { 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` };
    const names = [
      ...Object.keys(operation.params?.properties ?? {}),
      ...Object.keys(operation.query?.properties ?? {}),
      'page',
    ];

    test(`${operation.method} ${operation.url}`, async () => {
      const key = await newKey();
      const fields = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), oddJson);
      await fc.assert(
        fc.asyncProperty(odd, fields, oddJson, async (id, query, body) => {
          const path = operation.url.replaceAll(/\{\w+\}/g, () => encodeURIComponent(id) || '0');
          const search = Object.entries(query)
            .map(([name, value]) => `${encode(name)}=${encode(value)}`)
            .join('&');
          const json = operation.method === 'GET' ? {} : { json: JSON.stringify(body) };
          const { method } = operation;
          const reply = await app.call(`${path}?${search}`, {
            method,
            key,
            headers,
            ...json,
          });
          assert.ok(reply.status < 500, `${reply.status} ${reply.text}`);
        }),
        runs,
      );
    });

    const body = typeof operation.body === 'function' ? undefined : operation.body;
    if (!body) continue;
    test(`${operation.method} ${operation.url} with its own fields`, async () => {
      const key = await newKey();
      const fields = Object.fromEntries(
        Object.keys(body.properties).map((name) => [name, fc.option(oddJson, { nil: undefined })]),
      );
      await fc.assert(
        fc.asyncProperty(fc.record(fields), async (json) => {
          const path = operation.url.replaceAll(/\{\w+\}/g, '1');
          const reply = await app.call(path, {
            method: operation.method,
            key,
            headers,
            json,
          });
          assert.ok(reply.status < 500, `${reply.status} ${reply.text}`);
        }),
        runs,
      );
    });
  }
});

/** Programs interpret these bodies differently: here each has one result, on every database. */
describe('an ambiguous or impossible body', () => {
  let admin: Promise<string> | undefined;
  const coupons = '/svc/store/v1/coupons';
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  const post = async (body: string | Uint8Array<ArrayBuffer>, type = json, path = coupons) => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await (admin ??= newKey())}`,
        'x-forwarded-proto': 'https',
        'content-type': type,
      },
      body,
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const bytes = (...values: (string | number)[]) =>
    Buffer.concat(values.map((v) => (typeof v === 'string' ? Buffer.from(v) : Buffer.of(v))));
  const deep = (depth: number) =>
    `{"login":"d","email":"d@d.example","profile":{"custom_fields":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;

  const refused: [string, string | Uint8Array<ArrayBuffer>, string, string, string?][] = [
    ['bytes that are not UTF-8', bytes('{"code":"A', 0xff, '"}'), json, '400 rest_invalid_json'],
    [
      'an incomplete UTF-8 character',
      bytes('{"code":"', 0xc3, '"}'),
      json,
      '400 rest_invalid_json',
    ],
    [
      'a surrogate in UTF-8',
      bytes('{"code":"', 0xed, 0xa0, 0x80, '"}'),
      json,
      '400 rest_invalid_json',
    ],
    ['a form that is not UTF-8', bytes('code=A', 0xff), form, '400 rest_invalid_json'],
    ['a byte order mark', '\uFEFF{"code":"A"}', json, '400 rest_invalid_json'],
    ['UTF-16', Buffer.from('{"code":"A"}', 'utf16le'), json, '400 rest_invalid_json'],
    ['a duplicate name', '{"code":"A","code":"B"}', json, '400 rest_invalid_json'],
    [
      'a duplicate name, one of them escaped',
      '{"code":"A","c\\u006fde":"B"}',
      json,
      '400 rest_invalid_json',
    ],
    [
      'a duplicate name in a nested object',
      '{"code":"A","x":[{"a":{},"a":1}]}',
      json,
      '400 rest_invalid_json',
    ],
    [
      'another charset',
      '{"code":"A"}',
      `${json}; charset=iso-8859-1`,
      '415 rest_unsupported_media_type',
    ],
    [
      'another charset, quoted',
      '{}',
      `${json};charset="UTF-16"`,
      '415 rest_unsupported_media_type',
    ],
    [
      'a form in another charset',
      'code=A',
      `${form}; charset=latin1`,
      '415 rest_unsupported_media_type',
    ],
    ['another content type', '<a/>', 'text/xml', '415 rest_unsupported_media_type'],
    [
      'a content type similar to JSON',
      '{}',
      'application/json5',
      '415 rest_unsupported_media_type',
    ],
    ['NaN', '{"code":"A","fixed_per_order":NaN}', json, '400 rest_invalid_json'],
    [
      'a number that overflows to infinity',
      '{"code":"A","fixed_per_order":1e400}',
      json,
      '400 rest_invalid_param',
    ],
    [
      'such a number in a free-form object',
      '{"login":"n","email":"n@n.example","profile":{"custom_fields":{"a":-1e999}}}',
      json,
      '400 rest_invalid_param',
      '/svc/store/v1/affiliates',
    ],
    ['an id that is not an integer', '{"code":"A","user_id":1.5}', json, '400 rest_invalid_param'],
    [
      'an id beyond the safe integers',
      '{"code":"A","user_id":9007199254740993}',
      json,
      '400 rest_invalid_param',
    ],
    ['the name __proto__', '{"code":"A","__proto__":{"x":1}}', json, '400 rest_invalid_param'],
    [
      'the name constructor',
      '{"code":"A","constructor":{"prototype":{}}}',
      json,
      '400 rest_invalid_param',
    ],
    ['nested too deeply', deep(40), json, '400 rest_invalid_json', '/svc/store/v1/affiliates'],
    ['a million opening brackets', '['.repeat(1_000_000), json, '400 rest_invalid_json'],
    ['null', 'null', json, '400 rest_invalid_param'],
    ['a list', '[]', json, '400 rest_invalid_param'],
    ['text', '"x"', json, '400 rest_invalid_param'],
    ['only spaces', '  ', json, '400 rest_invalid_json'],
  ];
  for (const [what, body, type, expected, path] of refused) {
    test(`${what}: ${expected}`, async () => {
      const reply = await post(body, type, path);
      assert.equal(`${reply.status} ${reply.body.code}`, expected, JSON.stringify(reply.body));
    });
  }

  const accepted: [string, string, string][] = [
    ['1.0 for an integer', '{"code":"I","user_id":3.0}', json],
    ['1e0 for an integer', '{"code":"I","user_id":3e0}', json],
    ['minus zero', '{"code":"Z","fixed_per_order":-0}', json],
    ['charset=UTF-8', '{"code":"U"}', `${json}; charset=UTF-8`],
    ['charset in quotes', '{"code":"U"}', `${json}; charset="utf8"`],
    ['names and text with quotes and colons', '{"code":"\\"a\\":\\\\"}', json],
    ['the same name in two objects', '{"code":"N","user_id":null}', json],
  ];
  for (const [what, body, type] of accepted) {
    test(`${what} is accepted`, async () => {
      const reply = await post(body, type);
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      assert.ok(!JSON.stringify(reply.body).includes('-0'));
    });
  }

  test('names that objects inherit are stored in a free-form object like any other', async () => {
    const fields = '{"__proto__":"a","constructor":"b","toString":"c"}';
    // Sent without a key, because the administrator may have applied in a request above.
    const response = await fetch(`${app.url}/svc/store/v1/registrations`, {
      method: 'POST',
      headers: { 'content-type': json },
      body: `{"login":"p","email":"p@p.example","custom_fields":${fields}}`,
    });
    const text = await response.text();
    assert.equal(response.status, 201, text);
    assert.ok(text.includes(`"custom_fields":${fields}`), text);
  });
});

/** UTF-8 cannot encode lone surrogates. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
}
