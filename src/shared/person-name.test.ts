import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldName } from './person-name.ts';

test('names are compared without case, accents, punctuation and the order of their words', () => {
  for (const same of ['Zoë  Le-Grand', 'LE GRAND, ZOE', ' zoe le grand ', 'Zoe\u0308 Le Grand']) {
    assert.equal(foldName(same), 'grand le zoe', same);
  }
  assert.equal(foldName('Søren Weiß'), foldName('SOREN WEISS'));
  assert.notEqual(foldName('Zoe Grand'), foldName('Zoe Legrand'));
});

test('a single word is no name to compare', () => {
  for (const name of ['', ' ', 'Zoe', '-', '…']) assert.equal(foldName(name), '', name);
});
