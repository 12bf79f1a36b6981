import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { fc } from '../../../test/support/seeded-random.ts';
import { Nullable, StringEnum } from '../declare/schemas.ts';
import { coerce } from './coerce.ts';

const integer = Type.Integer();
const boolean = Type.Boolean();
const list = Type.Array(Type.Integer());

describe('coerce', () => {
  test('whole numbers survive as text', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (n) => assert.equal(coerce(integer, String(n)), n)));
  });

  test('decimal numbers survive as text', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(999), (whole, part) => {
        const text = `${whole}.${part}`;
        assert.equal(coerce(Type.Number(), text), Number(text));
      }),
    );
  });

  test('text that is not a plain number stays unchanged', () => {
    for (const text of ['', ' ', 'abc', '1e3', '0x10', '1_000', '1,5', '--1', '.', 'NaN', '٣']) {
      assert.equal(coerce(integer, text), text);
    }
  });

  test('spaces and a sign around a number do not matter', () => {
    for (const [text, n] of [
      [' 5', 5],
      ['5 ', 5],
      ['+5', 5],
      ['-5', -5],
      ['007', 7],
      ['.5', 0.5],
    ] as const) {
      assert.equal(coerce(Type.Number(), text), n);
    }
  });

  test('true, false, 1 and 0 are booleans, in any case', () => {
    for (const text of ['true', 'TRUE', 'True', '1']) assert.equal(coerce(boolean, text), true);
    for (const text of ['false', 'FALSE', 'False', '0']) assert.equal(coerce(boolean, text), false);
    for (const text of ['yes', 'on', '', '2', ' true']) assert.equal(coerce(boolean, text), text);
  });

  test('lists may be separated by commas, repeated, or a single value', () => {
    assert.deepEqual(coerce(list, '1,2,3'), [1, 2, 3]);
    assert.deepEqual(coerce(list, '1, 2  3'), [1, 2, 3]);
    assert.deepEqual(coerce(list, ['1', '2']), [1, 2]);
    assert.deepEqual(coerce(list, '7'), [7]);
    assert.deepEqual(coerce(list, ''), []);
    assert.deepEqual(coerce(list, ['1', 'x']), [1, 'x']);
  });

  test('any list of numbers survives as text with commas', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
        assert.deepEqual(coerce(list, numbers.join(',')), numbers);
      }),
    );
  });

  test('objects are converted property by property; unknown properties stay', () => {
    const schema = Type.Object({ n: integer, on: boolean, tags: list });
    assert.deepEqual(coerce(schema, { n: '1', on: '0', tags: '1,2', other: '3' }), {
      n: 1,
      on: false,
      tags: [1, 2],
      other: '3',
    });
  });

  test('a nullable value is converted to the type of the value', () => {
    assert.equal(coerce(Nullable(integer), '5'), 5);
    assert.equal(coerce(Nullable(boolean), 'true'), true);
  });

  test('text and words stay text', () => {
    assert.equal(coerce(Type.String(), '5'), '5');
    assert.equal(coerce(StringEnum(['1', '2']), '1'), '1');
  });

  test('values that are not text stay unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)), (value) => {
        assert.equal(coerce(integer, value), value);
        assert.equal(coerce(boolean, value), value);
      }),
    );
  });
});
