import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { fc } from '../../../test/support/seeded-random.ts';
import { ApiError, type ErrorBody } from '../declare/errors.ts';
import { Day, Id, Nullable, pageParameters, StringEnum } from '../declare/schemas.ts';
import { InputReader, invalidParameter, type RawInput } from './parameters.ts';

const reader = new InputReader({
  params: Type.Object({ id: Id('An id.') }),
  query: Type.Object({ ...pageParameters, from: Type.Optional(Day('A day.')) }),
  body: Type.Object({
    name: Type.String({ maxLength: 5 }),
    amount: Type.Number(),
    kind: StringEnum(['a', 'b'], { default: 'a' }),
    flags: Type.Optional(Type.Array(Type.Boolean())),
  }),
});
const good: RawInput = {
  params: { id: '7' },
  query: {},
  body: { name: 'x', amount: 1.5 },
  bodyIsText: false,
};
const read = (raw: Partial<RawInput>) => reader.read({ ...good, ...raw });
const refused = (raw: Partial<RawInput>, by = reader): ErrorBody => {
  try {
    by.read({ ...good, ...raw });
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.toBody();
  }
  assert.fail('was not refused');
};
const reasonsIn = ({ data: { params } }: Pick<ErrorBody, 'data'>): Record<string, string> => {
  assert.ok(params && !Array.isArray(params));
  return params;
};

describe('InputReader', () => {
  test('merges path, query and body into one object, with defaults', () => {
    assert.deepEqual(read({ query: { per_page: '5', from: '2026-02-28' } }), {
      id: 7,
      page: 1,
      per_page: 5,
      from: '2026-02-28',
      name: 'x',
      amount: 1.5,
      kind: 'a',
    });
  });

  test('a JSON body keeps its types, a form is coerced', () => {
    const body = { name: 'x', amount: '1.5', flags: 'true,0' };
    assert.deepEqual(Object.keys(reasonsIn(refused({ body }))), ['amount', 'flags']);
    const input = read({ body, bodyIsText: true });
    assert.equal(input['amount'], 1.5);
    assert.deepEqual(input['flags'], [true, false]);
  });

  test('every faulty parameter of every part is named, with a reason', () => {
    const { code, data, message } = refused({
      params: { id: '0' },
      query: { page: '0', per_page: '101', from: '2026-02-30' },
      body: { name: 'too long', amount: 'x', kind: 'c' },
    });
    assert.equal(code, 'rest_invalid_param');
    assert.equal(data.status, 400);
    const params = reasonsIn({ data });
    assert.deepEqual(Object.keys(params), [
      'id',
      'page',
      'per_page',
      'from',
      'name',
      'amount',
      'kind',
    ]);
    for (const name of Object.keys(params))
      assert.ok(message.includes(name) && params[name] !== '');
    assert.match(params['kind']!, /^must be one of a, b, not "/);
    assert.match(params['from']!, /YYYY-MM-DD/);
  });

  test('missing parameters are listed by name', () => {
    const { code, data } = refused({ body: {} });
    assert.equal(code, 'rest_missing_callback_param');
    assert.deepEqual(data, { status: 400, params: ['name', 'amount'] });
  });

  test('missing and faulty parameters are reported together', () => {
    const { code, data } = refused({ query: { page: 'x' }, body: { amount: true } });
    assert.equal(code, 'rest_missing_callback_param');
    assert.deepEqual(data['params'], ['name']);
    assert.deepEqual(Object.keys(data.invalid ?? {}), ['page', 'amount']);
  });

  test('a missing body is an empty one; anything but an object is refused', () => {
    assert.deepEqual(refused({ body: undefined }).data['params'], ['name', 'amount']);
    for (const body of [[], [{ name: 'x', amount: 1 }], 'text', 5, true]) {
      assert.deepEqual(refused({ body }).data['params'], { body: 'must be an object' });
    }
  });

  test('unknown parameters are ignored', () => {
    const input = read({ query: { surprise: '1' }, body: { name: 'x', amount: 1, more: {} } });
    assert.ok(!('surprise' in input) && !('more' in input));
  });

  describe('of a closed contract', () => {
    const closed = new InputReader(
      {
        body: Type.Object({
          colour: Type.Optional(Type.String()),
          items: Type.Optional(
            Type.Array(Type.Object({ size: Type.Optional(Nullable(Type.Object({ x: Id('') }))) })),
          ),
          free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        }),
      },
      { closed: true },
    );
    const paramsOf = (body: unknown) => refused({ body }, closed).data['params'];

    test('names an unknown field and the similar known one', () => {
      assert.deepEqual(paramsOf({ color: 'red', what: 1 }), {
        color: 'Unknown field. Did you mean colour?',
        what: 'Unknown field.',
      });
    });

    test('also inside lists and objects', () => {
      assert.deepEqual(paramsOf({ items: [{}, { sise: {} }, { size: { x: 1, y: 2 } }] }), {
        'items[1].sise': 'Unknown field. Did you mean size?',
        'items[2].size.y': 'Unknown field. Did you mean x?',
      });
    });

    test('leaves free-form objects alone', () => {
      const body = { free: { anything: { at: ['all'] } } };
      assert.deepEqual(closed.read({ ...good, body }), body);
    });

    test('and names that objects inherit are unknown like any other', () => {
      const body = JSON.parse('{"__proto__": 1, "constructor": 2, "items": [{"toString": 3}]}');
      assert.deepEqual(Object.keys(paramsOf(body) ?? {}).sort(), [
        '__proto__',
        'constructor',
        'items[0].toString',
      ]);
    });
  });

  describe('text that the databases cannot store', () => {
    const anywhere = new InputReader({
      params: Type.Object({ code: Type.String() }),
      query: Type.Object({ search: Type.Optional(Type.String()) }),
      body: Type.Object({
        list: Type.Optional(Type.Array(Type.String())),
        free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    });
    const fine = { params: { code: 'a' }, query: {}, body: {} };
    const reason = 'must not hold NUL or broken characters';
    for (const [name, raw] of [
      ['code', { params: { code: 'a\0' } }],
      ['search', { query: { search: '\0' } }],
      ['list[1]', { body: { list: ['a', 'b\0'] } }],
      ['free.a.b[0]', { body: { free: { a: { b: ['\0'] } } } }],
      ['free.a\0', { body: { free: { 'a\0': 1 } } }],
      ['search', { query: { search: 'half \ud83e' } }],
      ['free.x', { body: { free: { x: '\udd80' } } }],
    ] as const) {
      test(`${JSON.stringify(raw)} is refused, naming ${JSON.stringify(name)}`, () => {
        const { data } = refused({ ...fine, ...raw }, anywhere);
        assert.deepEqual(data['params'], { [name]: reason });
      });
    }

    test('complete characters of any length are accepted', () => {
      const query = { search: 'Käse 🧀 \uFFFD' };
      assert.equal(anywhere.read({ ...good, ...fine, query })['search'], query.search);
    });
  });

  test('a number that overflows to infinity is refused, also in a free-form object', () => {
    const free = new InputReader({
      body: Type.Object({ x: Type.Record(Type.String(), Type.Unknown()) }),
    });
    const body = JSON.parse('{"x": {"a": [1e400]}}');
    assert.deepEqual(Object.keys(reasonsIn(refused({ body }, free))), ['x.a[0]']);
  });

  describe('bounded work', () => {
    const many = (count: number, prefix = 'f') =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [prefix + i, 0]));
    const contract = Type.Object({
      fields: Type.Optional(
        Type.Record(Type.String({ pattern: '^.{1,9}$' }), Type.String(), { maxProperties: 20 }),
      ),
      list: Type.Optional(Type.Array(Type.Object({ a: Type.Optional(Type.Integer()) }))),
    });
    const closed = new InputReader({ body: contract }, { closed: true });

    test('at most 50 errors are named, and the message says so', () => {
      const { message, data } = refused({ body: many(1_000) }, closed);
      assert.equal(Object.keys(reasonsIn({ data })).length, 50);
      assert.match(message, /the first 50 are named$/);
    });

    test('similar names are only searched for the first few unknown fields, and not for long ones', () => {
      const params = reasonsIn(
        refused({ body: { ...many(9, 'lis'), ['l'.repeat(500)]: 1 } }, closed),
      );
      const suggested = Object.values(params).filter((reason) => reason.includes('Did you mean'));
      assert.equal(suggested.length, 5);
      assert.ok(Object.keys(params).every((name) => name.length <= 101));
    });

    test('a list or an object that is too large is refused without looking inside', () => {
      assert.deepEqual(refused({ body: { fields: many(21) } }, closed).data['params'], {
        fields: 'must not have more than 20 fields',
      });
      const list = Array.from({ length: 1_001 }, () => ({ a: 'x' }));
      assert.deepEqual(refused({ body: { list } }, closed).data['params'], {
        list: 'must not have more than 1000 items',
      });
    });

    test('only the first faults of a long list are reported', () => {
      const list = Array.from({ length: 1_000 }, (_, i) => ({ a: i > 500 ? 'x' : 1 }));
      const { data } = refused({ body: { list } }, closed);
      assert.equal(
        reasonsIn({ data })['list'],
        [501, 502, 503, 504, 505].map((i) => `${i}.a must be integer, not "x"`).join('; '),
      );
    });
  });

  test('a name that is not allowed inside a parameter is reported in plain words', () => {
    const fields = Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), {
      additionalProperties: false,
    });
    const { data } = refused(
      { body: { fields: { A: '' } } },
      new InputReader({ body: Type.Object({ fields }) }),
    );
    assert.match(reasonsIn({ data })['fields']!, /^A is not allowed;/);
  });

  test('inherited properties are not read', () => {
    const body: object = Object.create({ name: 'x', amount: 1 });
    assert.deepEqual(refused({ body }).data['params'], ['name', 'amount']);
    const named = new InputReader({
      body: Type.Object({ toString: Type.Optional(Type.String()) }),
    });
    assert.deepEqual(named.read({ ...good, body: {} }), {});
  });

  test('a reason names a short value, but no text that could be a credential', () => {
    const schema = Type.Object({
      count: Type.Integer({ minimum: 1 }),
      rates: Type.Record(Type.String(), Type.Number({ maximum: 100 })),
      password: Type.String({ minLength: 12 }),
      token: Type.String({ pattern: '^[a-z]+$' }),
    });
    const body = { count: 'many', rates: { '101': 120 }, password: 12_345, token: 'S3CRET' };
    const { data } = refused({ body }, new InputReader({ body: schema }));
    assert.deepEqual(data['params'], {
      count: 'must be integer, not "many"',
      rates: '101 must be <= 100, not 120',
      password: 'must be string',
      token: 'must match pattern "^[a-z]+$"',
    });
    const long = refused(
      { body: { ...body, count: 'x'.repeat(50) } },
      new InputReader({ body: schema }),
    );
    assert.equal(reasonsIn(long)['count'], 'must be integer');
  });

  test('a fault inside a list or object includes the path', () => {
    const { data } = refused({ body: { name: 'x', amount: 1, flags: [true, 'x'] } });
    assert.match(reasonsIn({ data })['flags']!, /^1 must be boolean/);
  });

  test('any input is either read or refused with 400', () => {
    const anything = fc.anything();
    const record = fc.dictionary(
      fc.constantFrom('id', 'page', 'per_page', 'from', 'name', 'amount', 'kind', 'flags'),
      anything,
    );
    fc.assert(
      fc.property(
        record,
        record,
        fc.oneof(record, anything),
        fc.boolean(),
        (params, query, body, bodyIsText) => {
          try {
            const input = reader.read({ params, query, body, bodyIsText });
            assert.ok(Number.isSafeInteger(input['id']) && Number(input['id']) > 0);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            assert.equal(error.definition.status, 400);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('invalidParameter is the error for one parameter with the given reason', () => {
  assert.deepEqual(invalidParameter('to', 'is before from').toBody(), {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): to',
    data: { status: 400, params: { to: 'is before from' } },
  });
});
