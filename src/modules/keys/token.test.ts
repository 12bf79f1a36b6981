import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../test/support/seeded-random.ts';
import { NoEntropyError, randomBase62 } from '../../shared/secrets.ts';
import { isWellFormed, makeToken, prefixOf } from './token.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a token', () => {
  test('is svc_, 40 base62 characters and 6 characters of checksum', () => {
    for (let i = 0; i < 100; i++) {
      const token = makeToken();
      assert.match(token, /^svc_[0-9A-Za-z]{46}$/);
      assert.ok(isWellFormed(token));
    }
  });

  test('is unique', () => {
    const tokens = Array.from({ length: 1_000 }, makeToken);
    assert.equal(new Set(tokens).size, tokens.length);
  });

  test('has a prefix of its first twelve characters', () => {
    const token = makeToken();
    assert.equal(prefixOf(token), token.slice(0, 12));
    assert.equal(prefixOf(token).length, 12);
  });

  test('is rejected with any single character changed', () => {
    const place = fc.integer({ min: 4, max: 49 });
    fc.assert(
      fc.property(place, fc.constantFrom(...Array.from(BASE62)), (at, character) => {
        const token = makeToken();
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        assert.equal(isWellFormed(changed), changed === token);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is rejected with two adjacent characters swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 48 }), (at) => {
        const token = makeToken();
        const swapped = token.slice(0, at) + token[at + 1]! + token[at]! + token.slice(at + 2);
        assert.equal(isWellFormed(swapped), swapped === token);
      }),
    );
  });

  test('has no other format', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.ok(!isWellFormed(text))));
    const token = makeToken();
    for (const near of [
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase(),
      token.slice(4),
      `${token}0`,
    ]) {
      assert.ok(!isWellFormed(near));
    }
  });
});

describe('randomBase62', () => {
  test('chooses every character with the same probability', () => {
    const text = randomBase62(62_000);
    for (const character of BASE62) {
      const count = text.split(character).length - 1;
      assert.ok(count > 800 && count < 1_200, `${character} ${count} times`);
    }
  });

  test('discards bytes that would favour some characters', () => {
    let asked = 0;
    const random = (size: number) => Buffer.alloc(size, asked++ === 0 ? 248 : 61);
    assert.equal(randomBase62(2, random), 'zz');
    assert.equal(asked, 2);
  });

  test('throws without entropy instead of returning a weak token', () => {
    const random = () => {
      throw new Error('no entropy');
    };
    assert.throws(() => randomBase62(10, random), NoEntropyError);
  });
});
