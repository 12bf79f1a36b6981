import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTestApp, refusal, type Reply } from '../../../test/support/harness.ts';
import { errorsOf } from '../../kernel/call/operation-errors.ts';

const app = await openTestApp();

/** Everything a browser would load. */
function resourcesOf(html: string): string[] {
  const tags = html.match(
    /<(?:link|script|img|iframe|source|video|audio|object|embed|use)\b[^>]*>/g,
  );
  return (tags ?? []).flatMap((tag) =>
    [...tag.matchAll(/\b(?:src|href|srcset|data)="([^"]*)"/g)].map((match) => match[1]!),
  );
}

/** The section of one operation in the reference. */
function operationIn(page: string, id: string): string {
  const start = page.indexOf(`<section class="operation" id="${id}"`);
  return page.slice(start, page.indexOf('</section>', start));
}

function assertPlainPage({ status, headers, text }: Reply): void {
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = headers.get('content-security-policy')!.split('; ');
  assert.ok(policy.includes("default-src 'none'"));
  assert.ok(policy.includes("frame-ancestors 'none'"));
  assert.ok(!policy.some((rule) => /https?:|\*|unsafe|script-src/.test(rule)), policy.join());
  assert.match(text, /^<!doctype html>/);
  assert.match(text, /<html lang="en">/);
  assert.match(text, /<title>.+<\/title>/);
  assert.ok(!/<script|\son\w+=|style=|url\(/i.test(text), 'no script and no inline style');
  for (const address of resourcesOf(text)) assert.match(address, /^\/(?!\/)/, address);
}

describe('public pages and OpenAPI documents', () => {
  const paths = [
    '~/',
    '~/docs',
    '~/docs?api=store',
    '~/apply',
    '/openapi',
    '/svc/store/v1/openapi',
  ];

  for (const path of paths) {
    test(`${path}: 304 without a body if unchanged, until a setting changes it`, async () => {
      const first = await app.call(path);
      const tag = first.headers.get('etag')!;
      assert.match(tag, /^"[\w-]{22}(-gzip)?"$/);
      assert.equal(first.headers.get('cache-control'), 'private, no-cache');
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const reply = await app.call(path, { headers: { 'if-none-match': known } });
        assert.equal(reply.status, 304, known);
        assert.equal(reply.text, '');
        assert.equal(reply.headers.get('etag'), tag);
        assert.ok(reply.headers.get('content-security-policy'));
      }
      const other = await app.call(path, { headers: { 'if-none-match': '"other"' } });
      assert.equal(other.status, 200);
      assert.equal(other.text, first.text);

      await app.set({
        'site.name': 'Renamed',
        'api.disabled_endpoints': ['get_me', 'store:get_outbox'],
      });
      const changed = await app.call(path, { headers: { 'if-none-match': tag } });
      await app.set({ 'site.name': 'My store', 'api.disabled_endpoints': [] });
      assert.equal(changed.status, 200);
      assert.notEqual(changed.text, first.text);
    });
  }

  test('an error is never answered with 304', async () => {
    await app.set({ 'registrations.open': false });
    const closed = await app.call('~/apply', { headers: { 'if-none-match': '*' } });
    await app.set({ 'registrations.open': true });
    assert.equal(closed.status, 403);
  });
});

describe('style sheets', () => {
  test('200: those that the pages refer to, without external resources', async () => {
    const [icon, ...addresses] = resourcesOf((await app.call('~/docs')).text);
    const type = (await app.call(`~${icon}`)).headers.get('content-type');
    assert.equal(type, 'image/svg+xml; charset=utf-8');
    assert.deepEqual(addresses, ['/page.css', '/docs.css']);
    for (const address of addresses) {
      const { status, headers, text } = await app.call(`~${address}`);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/css; charset=utf-8');
      assert.ok(!/url\(|@import|https?:/.test(text));
      // Revalidated each time, so that a page never uses the style sheet of another version.
      const again = await app.call(`~${address}`, {
        headers: { 'if-none-match': headers.get('etag')! },
      });
      assert.equal(again.status, 304);
    }
  });
});

describe('GET /docs', () => {
  for (const api of ['v2', 'store'] as const) {
    test(`200: ${api}, every operation with its own anchor`, async () => {
      const reply = await app.call(`~/docs?api=${api}`);
      assertPlainPage(reply);
      const anchors = [...reply.text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
      assert.equal(new Set(anchors).size, anchors.length, 'each anchor once');
      for (const operation of app.site.registry.activeOperations(api)) {
        assert.ok(anchors.includes(operation.id), operation.id);
      }
      for (const [, target] of reply.text.matchAll(/ href="#([^"]+)"/g)) {
        assert.ok(anchors.includes(target!), `#${target} leads somewhere`);
      }
    });
  }

  test('fields of nested objects and list items are shown with their limits', async () => {
    const { text } = await app.call('~/docs?api=store');
    const order = operationIn(text, 'put_orders_order_id');
    const found = order.matchAll(/<dt>\s*<code>([^<]+)<\/code>/g);
    const fields = new Set([...found].map(([, name]) => name!));
    for (const name of [
      'date',
      'customer',
      'email',
      'items',
      'product_id',
      'refunds',
      'quantity',
    ]) {
      assert.ok(fields.has(name), name);
    }
    assert.match(order, /<code>total<\/code>[^]*?number[^]*?required/);
    assert.match(order, /<code>coupon_codes<\/code>[^]*?list of string[^]*?At most 50 items/);
    assert.match(order, /<code>on-hold<\/code>/);
    assert.match(order, /<code>discount<\/code>[^]*?Default <code>0<\/code>/);
    // A field with a default may be omitted at any depth.
    for (const id of ['put_orders_order_id', 'post_orders_batch']) {
      const discount = /<code>discount<\/code>[^]*?<\/dt>/.exec(operationIn(text, id))![0];
      assert.doesNotMatch(discount, /required/, id);
    }
  });

  test('every operation shows its access level and scope', async () => {
    for (const api of ['v2', 'store'] as const) {
      const { text } = await app.call(`~/docs?api=${api}`);
      for (const { id, scope, access } of app.site.registry.activeOperations(api)) {
        const said = /<p class="access">([^]*?)<\/p>/.exec(operationIn(text, id))![1]!;
        if (scope !== null)
          assert.match(said, new RegExp(`Requires the scope <code>${scope}</code>`));
        if (access === 'public') assert.match(said, /Public, no authentication/);
        if (access === 'admin') assert.match(said, /Managers and administrators/);
        if (access === 'plugin-admin') assert.match(said, /Administrators only/);
        if (access === 'owner') assert.match(said, /The affiliate who owns it/);
      }
    }
  });

  test('every operation has an example response, and lists its errors with their messages', async () => {
    for (const api of ['v2', 'store'] as const) {
      const { text } = await app.call(`~/docs?api=${api}`);
      for (const operation of app.site.registry.activeOperations(api)) {
        const shown = operationIn(text, operation.id);
        if (!operation.contentType)
          assert.match(shown, /<figcaption>Response 20[012]</, operation.id);
        for (const { code } of errorsOf(operation, app.site.registry)) {
          assert.ok(shown.includes(`<code>${code}</code>`), `${operation.id} names ${code}`);
        }
      }
    }
  });

  test('the URL of the service and a placeholder for the key are in the examples', async () => {
    const { text } = await app.call('~/docs');
    assert.ok(text.includes(`${app.site.publicUrl}/svc/v2/me`));
    assert.ok(text.includes('Authorization: Bearer svc_YOUR_KEY'));
    for (const id of ['authentication', 'pagination', 'errors', 'records', 'group-payouts']) {
      assert.ok(text.includes(`id="${id}"`), id);
    }
  });

  test('is small enough for one page', async () => {
    for (const api of ['v2', 'store'] as const) {
      const { text } = await app.call(`~/docs?api=${api}`);
      assert.ok(gzipSync(text).length < 160_000);
    }
  });

  test('v2 by default', async () => {
    assert.equal((await app.call('~/docs')).text, (await app.call('~/docs?api=v2')).text);
  });

  test('a disabled endpoint disappears immediately', async () => {
    assert.match((await app.call('~/docs')).text, /id="get_events"/);
    await app.set({ 'api.disabled_endpoints': ['get_events'] });
    assert.doesNotMatch((await app.call('~/docs')).text, /id="get_events"/);
    await app.set({ 'api.disabled_endpoints': [] });
  });

  test('400: an API that does not exist', async () => {
    assert.equal(refusal(await app.call('~/docs?api=v3')), '400 rest_invalid_param');
  });

  test('admins only if api.openapi_public is off', async () => {
    await app.set({ 'api.openapi_public': false });
    assert.equal(refusal(await app.call('~/docs')), '401 svc_api_unauthorized');
    const affiliate = await app.signIn('maya');
    assert.equal(
      refusal(await app.call('~/docs', { session: affiliate })),
      '403 svc_api_forbidden',
    );
    assertPlainPage(await app.call('~/docs', { session: await app.signIn('manager') }));
    assertPlainPage(await app.call('~/docs', { basic: await app.basic('admin') }));
    await app.set({ 'api.openapi_public': true });
  });
});
