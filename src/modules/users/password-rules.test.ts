import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { findPasswordError } from './password-rules.ts';

const { site } = await openTestApp({ settings: { 'site.name': 'Harbour & Sons' } });
const maya = { login: 'maya.o', email: 'maya-ortiz@mail.lighthouse.example' };

const passwords: [password: string, error: string | undefined][] = [
  ['correct horse battery', undefined],
  ['Vier gelbe Boote 1987', undefined],
  ['tr0ub4dor&3-zebra', undefined],
  ['ein-langer-satz-über-wale', undefined],
  ['x7Kp2mQ9vLw4', undefined],
  ['8392 0174 6550 9217', undefined],
  ['%~{^}|]&<[;:=?', undefined],
  ['🐳🚢🌊🧭🐙🦀🏝🌴🦜🐠🚤🪝', undefined],
  ['elevenchars', 'length'],
  // Six characters, which JavaScript counts as twelve.
  ['🐳🚢🌊🧭🐙🦀', 'length'],
  ['x7Kp2mQ9vLw4'.repeat(17), 'length'],
  ['aaaaaaaaaaaaaa', 'pattern'],
  ['121212121212', 'pattern'],
  ['abc123abc123abc', 'pattern'],
  ['abcdefghijklmn', 'pattern'],
  ['zyxwvutsrqpon', 'pattern'],
  ['123456789012', 'pattern'],
  ['QwertyuiopAsdf', 'pattern'],
  ['1q2w3e4r5t6y', 'common'],
  ['147258369159753', 'common'],
  ['Password123456', 'common'],
  ['p4ssw0rd-2026', 'common'],
  ['!!Sunshine2026', 'common'],
  ['iloveyou2026!', 'common'],
  ['passwordpassword', 'common'],
  ['password password password', 'common'],
  ['Password-P4ssword!', 'common'],
  ['iloveyouiloveyou', 'common'],
  ['iloveyou sunshine', 'common'],
  ['sunshinepassword', 'common'],
  ['Summer2026!Summer', 'common'],
  ['Winter#Autumn-26', 'common'],
  ['November2026!!', 'common'],
  ['Tributary2026!!', 'common'],
  ['correcthorsebatterystaple', 'common'],
  ['Correct-Horse-Battery-Staple1', 'common'],
  ['x8Kp!sunshine#Q4v', undefined],
  ['charliepassword1', 'common'],
  ['maya.o maya.o maya.o', 'personal'],
  ['harbour&sonsharbour&sons', 'personal'],
  ['sunshine over quiet hills', undefined],
  ['my name is Maya O.', 'personal'],
  ['mayaortiz ships 44', 'personal'],
  ['the LightHouse keeper', 'personal'],
  ['harbour sons 4 ever', 'personal'],
  ['all our mail boxes', 'personal'],
];

describe('rules for passwords', () => {
  for (const [password, error] of passwords) {
    test(`${password.slice(0, 40)}: ${error ?? 'accepted'}`, async () => {
      assert.equal(await findPasswordError(site, password, maya), error);
    });
  }

  test('short logins, addresses and site names do not count', async () => {
    const owner = { login: 'al', email: 'al@ab.io' };
    assert.equal(await findPasswordError(site, 'an alpine abode of snow', owner), undefined);
  });
});
