import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

/** `test/browser/small-shop.test.ts` runs the script in a browser. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');

const change = (value: unknown) =>
  app.call('/svc/store/v1/settings', {
    method: 'PATCH',
    key: admin,
    json: { 'attribution.code_parameters': value },
  });

describe('GET /t.js', () => {
  test('200: a small script that stores on any host may load, cached for ten minutes', async () => {
    const { status, headers, text } = await app.call('~/t.js');
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/javascript/);
    assert.equal(headers.get('cache-control'), 'public, max-age=600');
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    const bytes = gzipSync(text, { level: 9 }).length;
    assert.ok(bytes <= 1_600, `${bytes} bytes`);
    assert.doesNotMatch(text, /https?:\/\/[a-z]/, 'names no host');
  });

  test('304 for the known version, another version after a change of the settings', async () => {
    const first = await app.call('~/t.js');
    const tag = first.headers.get('etag')!;
    const known = await app.call('~/t.js', { headers: { 'if-none-match': tag } });
    assert.equal(known.status, 304);
    assert.ok(
      first.text.endsWith('({"parameters":["ref"],"days":30,"subs":{}});'),
      first.text.slice(-80),
    );
    await app.set({ 'attribution.cookie_days': 7, 'attribution.parameter': 'by' });
    await change(['ref', 'via', 'by']);
    const second = await app.call('~/t.js', { headers: { 'if-none-match': tag } });
    assert.equal(second.status, 200);
    assert.ok(second.text.endsWith('({"parameters":["by","ref","via"],"days":7,"subs":{}});'));
  });
});

describe('attribution.code_parameters', () => {
  test('200: the names of other systems; 400: other names, and more than ten', async () => {
    assert.equal((await change(['ref', 'via', 'fpr', 'aff', 'a-b_1'])).status, 200);
    assert.equal((await change([])).status, 200);
    const many = Array.from({ length: 11 }, (_, i) => `p${i}`);
    for (const names of [['</script>'], ['1a'], [''], ['x'.repeat(41)], ['a', 'a'], ['to'], many]) {
      assert.equal(refusal(await change(names)), '400 rest_invalid_param', names.join());
    }
  });
});
