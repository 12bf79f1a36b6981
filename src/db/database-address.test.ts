import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf, databaseAddress } from './database-address.ts';

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

test('several servers are several addresses, each of which has to be usable', () => {
  const several = 'postgresql://u:p%40w@one,[::1]:5433,three:5434/name?sslmode=disable';
  assert.equal(databaseAddress(several), several);
  assert.deepEqual(
    addressesOf(several),
    ['one', '[::1]:5433', 'three:5434'].map(
      (server) => `postgresql://u:p%40w@${server}/name?sslmode=disable`,
    ),
  );
  for (const wrong of [
    'postgres://one:5432,two:x/name',
    'postgres://one,two:5432',
    'none',
    'a://b,c/d',
  ]) {
    assert.throws(() => databaseAddress(wrong), /^Error: be an address like/);
  }
  const asked = (value: string) => databaseAddress(address(`target_session_attrs=${value}`));
  for (const value of ['read-write', 'primary'])
    assert.match(asked(value), new RegExp(`${value}$`));
  assert.throws(() => asked('prefer-standby'), /target_session_attrs=read-write/);
});
