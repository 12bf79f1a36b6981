import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { fc } from '../../test/support/seeded-random.ts';
import { Keyring } from './secrets.ts';

const keyring = new Keyring(Buffer.alloc(32, 1));
const place = { table: 'things', column: 'secret', row: 7 };
const bytesOf = (encrypted: string) => Buffer.from(encrypted.slice(3), 'base64url');

describe('hash', () => {
  test('is HMAC-SHA-256 under the key derived for its purpose: stored hashes depend on it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const key = hkdfSync('sha256', Buffer.alloc(32, 1), '', 'tributary test', 32);
        const expected = createHmac('sha256', Buffer.from(key)).update(text).digest('base64url');
        assert.equal(keyring.hash('test', text), expected);
      }),
    );
  });

  test('another purpose or master secret gives another key', () => {
    assert.notEqual(keyring.hash('test', 'text'), keyring.hash('other', 'text'));
    const other = new Keyring(Buffer.alloc(32, 2));
    assert.notEqual(keyring.hash('test', 'text'), other.hash('test', 'text'));
  });
});

describe('encrypt and decrypt', () => {
  test('restore any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(keyring.decrypt(place, keyring.encrypt(place, text)), text);
      }),
    );
  });

  test('restore a large text', () => {
    const text = 'ä€💥'.repeat(100_000);
    assert.equal(keyring.decrypt(place, keyring.encrypt(place, text)), text);
  });

  test('the encrypted text contains nothing readable', () => {
    const encrypted = keyring.encrypt(place, 'svc_token');
    assert.match(encrypted, /^v1\.[\w-]+$/);
    assert.ok(!Buffer.from(encrypted, 'base64url').includes('token'));
  });

  test('the same text encrypted twice gives two different texts', () => {
    assert.notEqual(keyring.encrypt(place, 'same'), keyring.encrypt(place, 'same'));
  });

  test('not in another table, column or row, nor under another master secret', () => {
    const encrypted = keyring.encrypt(place, 'text');
    for (const other of [
      { ...place, table: 'others' },
      { ...place, column: 'other' },
      { ...place, row: 8 },
      { ...place, row: '7' },
      { ...place, row: ['7'] },
      { table: 'things.secret', column: '', row: 7 },
    ]) {
      assert.throws(() => keyring.decrypt(other, encrypted), JSON.stringify(other));
    }
    assert.throws(() => new Keyring(Buffer.alloc(32, 2)).decrypt(place, encrypted));
  });

  test('keys of two columns are not confused however they are cut', () => {
    const encrypted = keyring.encrypt({ ...place, row: ['a', 'bc'] }, 'text');
    assert.throws(() => keyring.decrypt({ ...place, row: ['ab', 'c'] }, encrypted));
  });

  test('a value without the mark of its format is refused', () => {
    const encrypted = keyring.encrypt(place, 'text');
    assert.throws(() => keyring.decrypt(place, encrypted.slice(3)), /not encrypted/);
  });

  test('a changed bit anywhere is refused', () => {
    const bytes = bytesOf(keyring.encrypt(place, 'text'));
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      assert.throws(
        () => keyring.decrypt(place, `v1.${changed.toString('base64url')}`),
        `byte ${i}`,
      );
    }
  });

  test('a shortened one is refused, down to nothing', () => {
    const bytes = bytesOf(keyring.encrypt(place, 'text'));
    for (let length = 0; length < bytes.length; length++) {
      const short = `v1.${bytes.subarray(0, length).toString('base64url')}`;
      assert.throws(() => keyring.decrypt(place, short), `${length} bytes`);
    }
  });
});
