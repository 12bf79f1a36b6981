import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, PASSWORD } from '../../../../test/support/harness.ts';
import { fc } from '../../../../test/support/seeded-random.ts';
import { ownPath } from './form.ts';

const app = await openTestApp();
const { origin } = new URL(app.site.publicUrl);
const leadsTo = (next: string) => new URL(ownPath(app.site, next), app.site.publicUrl);

const away = [
  '//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/.%2e//evil.example/x?y',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.\t//evil.example',
  '/./\\evil.example',
  '\\\\evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '/\u0000//evil.example',
];

describe('the page after the sign-in is one of this site', () => {
  for (const next of away) {
    test(JSON.stringify(next), async () => {
      assert.equal(leadsTo(next).origin, origin);
      const form = new URLSearchParams({ login: 'maya', password: PASSWORD, next }).toString();
      const reply = await app.call('~/app/login', { method: 'POST', form });
      if (next.includes('\u0000')) return assert.equal(reply.status, 400);
      assert.equal(reply.status, 303, reply.text);
      assert.equal(new URL(reply.headers.get('location')!, origin).origin, origin);
    });
  }

  test('whatever is written, and a path of this site stays', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '\t',
      '\n',
      ':',
      '@',
      '?',
      '#',
      'evil.example',
      'app',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        assert.equal(leadsTo(parts.join('')).origin, origin);
      }),
      { numRuns: 5_000 },
    );
    assert.equal(ownPath(app.site, '/app/money?page=2'), '/app/money?page=2');
    assert.equal(ownPath(app.site, '/console/mails?next=//x'), '/console/mails?next=//x');
  });
});
