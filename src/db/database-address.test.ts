import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseAddress } from './database-address.ts';

const address = (search: string) => `postgres://user:word@db.example/name?${search}`;

test('TLS is always verified, or there is none', () => {
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(databaseAddress(address(`sslmode=${mode}`)), address('sslmode=verify-full'));
  }
  assert.equal(databaseAddress(address('sslmode=disable')), address('sslmode=disable'));
  for (const search of ['sslmode=no-verify', 'a=b&ssl=no-verify', 'sslmode=no%2Dverify']) {
    assert.throws(() => databaseAddress(address(search)), /^Error: have sslmode=verify-full/);
  }
});
