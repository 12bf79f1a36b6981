import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { describe, test } from 'node:test';
import { hashPassword, pretendToVerify, verifyPassword } from './password.ts';

const PASSWORD = 'correct horse battery';

describe('a password', () => {
  test('is stored as argon2id in PHC format', async () => {
    const stored = await hashPassword(PASSWORD);
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.ok(!stored.includes(PASSWORD));
  });

  test('has a new salt each time', async () => {
    assert.notEqual(await hashPassword(PASSWORD), await hashPassword(PASSWORD));
  });

  test('is verified, and similar ones are not', async () => {
    const stored = await hashPassword(PASSWORD);
    assert.equal(await verifyPassword(PASSWORD, stored), true);
    for (const near of ['', `${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1)]) {
      assert.equal(await verifyPassword(near, stored), false, near);
    }
  });

  test('is the same in composed and decomposed Unicode forms', async () => {
    const stored = await hashPassword('Z\u00fcrich caf\u00e9 1234');
    assert.equal(await verifyPassword('Zu\u0308rich cafe\u0301 1234', stored), true);
  });

  test('of 200 characters is compared to its last character', async () => {
    const long = 'x'.repeat(199);
    const stored = await hashPassword(`${long}a`);
    assert.equal(await verifyPassword(`${long}a`, stored), true);
    assert.equal(await verifyPassword(`${long}b`, stored), false);
  });

  test('hashed by another program at another cost is verified', async () => {
    const nonce = Buffer.from('somesaltsomesalt');
    const hash = argon2Sync('argon2id', {
      message: 'password',
      nonce,
      memory: 256,
      passes: 1,
      parallelism: 1,
      tagLength: 16,
    });
    const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const stored = `$argon2id$v=19$m=256,t=1,p=1$${text(nonce)}$${text(hash)}`;
    assert.equal(await verifyPassword('password', stored), true);
    assert.equal(await verifyPassword('passwort', stored), false);
  });

  test('stored in an unknown format is refused', async () => {
    for (const stored of ['', 'plain', '$2b$10$abc', '$argon2i$v=19$m=8,t=1,p=1$YQ$YQ']) {
      assert.equal(await verifyPassword(PASSWORD, stored), false, stored);
    }
  });

  test('is verified for many concurrent callers', async () => {
    const stored = await hashPassword(PASSWORD);
    const tries = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? PASSWORD : `wrong ${i}`));
    const results = await Promise.all(tries.map((text) => verifyPassword(text, stored)));
    assert.deepEqual(
      results,
      tries.map((text) => text === PASSWORD),
    );
  });

  test('of an unknown user never matches', async () => {
    assert.equal(await pretendToVerify(PASSWORD), false);
  });
});
