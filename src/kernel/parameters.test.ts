import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { ApiError } from './errors.ts';
import { InputReader, invalidParameter, type RawInput } from './parameters.ts';
import { Day, Id, pageParameters, StringEnum } from './schemas.ts';

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
const refused = (raw: Partial<RawInput>, by = reader): ReturnType<ApiError['toBody']> => {
  try {
    by.read({ ...good, ...raw });
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.toBody();
  }
  assert.fail('was not refused');
};

describe('InputReader', () => {
  test('one object of path, query and body, with defaults', () => {
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

  test('a JSON body is taken at its word, a form is coerced', () => {
    const body = { name: 'x', amount: '1.5', flags: 'true,0' };
    assert.deepEqual(Object.keys(refused({ body }).data['params'] as object), ['amount', 'flags']);
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
    const params = data['params'] as Record<string, string>;
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
    assert.equal(params['kind'], 'must be one of a, b');
    assert.match(params['from']!, /YYYY-MM-DD/);
  });

  test('missing ones are listed by name', () => {
    const { code, data } = refused({ body: {} });
    assert.equal(code, 'rest_missing_callback_param');
    assert.deepEqual(data, { status: 400, params: ['name', 'amount'] });
  });

  test('missing and faulty ones together', () => {
    const { code, data } = refused({ query: { page: 'x' }, body: { amount: true } });
    assert.equal(code, 'rest_missing_callback_param');
    assert.deepEqual(data['params'], ['name']);
    assert.deepEqual(Object.keys(data['invalid'] as object), ['page', 'amount']);
  });

  test('no body is an empty one; anything but an object is refused', () => {
    assert.deepEqual(refused({ body: undefined }).data['params'], ['name', 'amount']);
    for (const body of [[], [{ name: 'x', amount: 1 }], 'text', 5, true]) {
      assert.deepEqual(refused({ body }).data['params'], { body: 'must be an object' });
    }
  });

  test('unknown parameters are ignored', () => {
    const input = read({ query: { surprise: '1' }, body: { name: 'x', amount: 1, more: {} } });
    assert.ok(!('surprise' in input) && !('more' in input));
  });

  test('except where the contract is closed: there they come with a suggestion', () => {
    const closed = new InputReader({
      body: Type.Object({ colour: Type.Optional(Type.String()) }, { additionalProperties: false }),
    });
    const { data } = refused({ body: { color: 'red' } }, closed);
    assert.match((data['params'] as Record<string, string>)['color']!, /Did you mean colour\?/);
  });

  test('a name that has no place inside a parameter is said in plain words', () => {
    const fields = Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), {
      additionalProperties: false,
    });
    const { data } = refused(
      { body: { fields: { A: '' } } },
      new InputReader({ body: Type.Object({ fields }) }),
    );
    assert.match((data['params'] as Record<string, string>)['fields']!, /^A is not allowed;/);
  });

  test('nothing is inherited', () => {
    const body = Object.create({ name: 'x', amount: 1 }) as object;
    assert.deepEqual(refused({ body }).data['params'], ['name', 'amount']);
    const named = new InputReader({
      body: Type.Object({ toString: Type.Optional(Type.String()) }),
    });
    assert.deepEqual(named.read({ ...good, body: {} }), {});
  });

  test('a fault inside a list or object says where', () => {
    const { data } = refused({ body: { name: 'x', amount: 1, flags: [true, 'x'] } });
    assert.match((data['params'] as Record<string, string>)['flags']!, /^1 must be boolean/);
  });

  test('whatever comes is read or refused, never anything else', () => {
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
            assert.ok(Number.isSafeInteger(input['id']) && (input['id'] as number) > 0);
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

test('invalidParameter refuses one parameter for a reason of its own', () => {
  assert.deepEqual(invalidParameter('to', 'is before from').toBody(), {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): to',
    data: { status: 400, params: { to: 'is before from' } },
  });
});
