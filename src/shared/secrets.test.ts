import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Keyring } from './secrets.ts';

const keyring = new Keyring(Buffer.alloc(32, 1));

describe('hash', () => {
  test("is the platform's own HMAC-SHA-256, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const key = hkdfSync('sha256', Buffer.alloc(32, 1), '', 'tributary test', 32);
        const expected = createHmac('sha256', Buffer.from(key)).update(text).digest('base64url');
        assert.equal(keyring.hash('test', text), expected);
      }),
    );
  });

  test('another purpose or master secret gives another one', () => {
    assert.notEqual(keyring.hash('test', 'text'), keyring.hash('other', 'text'));
    const other = new Keyring(Buffer.alloc(32, 2));
    assert.notEqual(keyring.hash('test', 'text'), other.hash('test', 'text'));
  });
});

describe('encrypt and decrypt', () => {
  test('any text comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(keyring.decrypt('test', keyring.encrypt('test', text)), text);
      }),
    );
  });

  test('a large text too', () => {
    const text = 'ä€💥'.repeat(100_000);
    assert.equal(keyring.decrypt('test', keyring.encrypt('test', text)), text);
  });

  test('nothing of it can be read', () => {
    const encrypted = keyring.encrypt('test', 'svc_token');
    assert.match(encrypted, /^[\w-]+$/);
    assert.ok(!Buffer.from(encrypted, 'base64url').includes('token'));
  });

  test('twice the same text gives two different ones', () => {
    assert.notEqual(keyring.encrypt('test', 'same'), keyring.encrypt('test', 'same'));
  });

  test('not for another purpose, nor under another master secret', () => {
    const encrypted = keyring.encrypt('test', 'text');
    assert.throws(() => keyring.decrypt('other', encrypted));
    assert.throws(() => new Keyring(Buffer.alloc(32, 2)).decrypt('test', encrypted));
  });

  test('a changed bit anywhere is noticed', () => {
    const bytes = Buffer.from(keyring.encrypt('test', 'text'), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      assert.throws(() => keyring.decrypt('test', changed.toString('base64url')), `byte ${i}`);
    }
  });

  test('a shortened one is refused, down to nothing', () => {
    const bytes = Buffer.from(keyring.encrypt('test', 'text'), 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      const short = bytes.subarray(0, length).toString('base64url');
      assert.throws(() => keyring.decrypt('test', short), `${length} bytes`);
    }
  });
});
