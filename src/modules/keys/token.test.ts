import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { NoEntropyError, randomBase62 } from '../../shared/secrets.ts';
import { isWellFormed, makeToken, prefixOf } from './token.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a token', () => {
  test('svc_, 40 characters of base62 and 6 of checksum', () => {
    for (let i = 0; i < 100; i++) {
      const token = makeToken();
      assert.match(token, /^svc_[0-9A-Za-z]{46}$/);
      assert.ok(isWellFormed(token));
    }
  });

  test('is never made twice', () => {
    const tokens = Array.from({ length: 1_000 }, makeToken);
    assert.equal(new Set(tokens).size, tokens.length);
  });

  test('its prefix is the first twelve characters', () => {
    const token = makeToken();
    assert.equal(prefixOf(token), token.slice(0, 12));
    assert.equal(prefixOf(token).length, 12);
  });

  test('one character changed anywhere is noticed', () => {
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

  test('two neighbours swapped are noticed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 48 }), (at) => {
        const token = makeToken();
        const swapped = token.slice(0, at) + token[at + 1]! + token[at]! + token.slice(at + 2);
        assert.equal(isWellFormed(swapped), swapped === token);
      }),
    );
  });

  test('nothing else is one', () => {
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
  test('every character is as likely as any other', () => {
    const text = randomBase62(62_000);
    for (const character of BASE62) {
      const count = text.split(character).length - 1;
      assert.ok(count > 800 && count < 1_200, `${character} ${count} times`);
    }
  });

  test('bytes that would favour some characters are thrown away', () => {
    let asked = 0;
    const random = (size: number) => Buffer.alloc(size, asked++ === 0 ? 248 : 61);
    assert.equal(randomBase62(2, random), 'zz');
    assert.equal(asked, 2);
  });

  test('without entropy there is an error, never a weak token', () => {
    const random = () => {
      throw new Error('no entropy');
    };
    assert.throws(() => randomBase62(10, random), NoEntropyError);
  });
});
