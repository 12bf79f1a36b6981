import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { feedHead } from '../../../test/support/feed-head.ts';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'manage');
const path = '/svc/store/v1/brand';
const put = (file: string | Buffer, key = admin) =>
  app.call(`${path}/logo`, {
    method: 'PUT',
    key,
    json: { content: Buffer.from(file).toString('base64') },
  });

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><script>alert(1)</script><rect width="80" height="20" onclick="x()"/></svg>`;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function png(
  width: number,
  height: number,
  pixels = deflateSync(Buffer.alloc(height * (width * 3 + 1))),
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('Comment\0<script>')),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from('<script>alert(1)</script>'),
  ]);
}

describe('the logo', () => {
  test('an SVG file is served sandboxed and for good, and pages show it as an image', async () => {
    const head = await feedHead(app.site);
    const { status, body } = await put(SVG);
    assert.equal(status, 200);
    assert.match(body.url, /^\/app\/brand\/logo-[0-9a-f]{16}\.svg$/);
    assert.deepEqual([body.width, body.height], [80, 20]);
    assert.equal(await feedHead(app.site), head + 1);
    const file = await app.call(`~${body.url}`);
    assert.equal(file.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(
      file.headers.get('content-security-policy'),
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(
      file.headers.get('content-disposition'),
      `inline; filename="${body.url.split('/').at(-1)}"`,
    );
    assert.equal(file.text, SVG);
    assert.match(
      (await app.call('~/')).text,
      new RegExp(`<img class="site-mark" src="${body.url}"`),
    );
    const { body: brand } = await app.call(path);
    assert.deepEqual(brand.logo, { url: body.url, type: 'svg', width: 80, height: 20 });
  });

  test('a PNG file replaces it, without texts and without what follows the image', async () => {
    const before = (await app.call(path)).body.logo.url;
    const { status, body } = await put(png(64, 16));
    assert.equal(status, 200);
    assert.deepEqual([body.width, body.height], [64, 16]);
    const file = await app.call(`~${body.url}`);
    assert.equal(file.headers.get('content-type'), 'image/png');
    assert.doesNotMatch(file.text, /script|Comment/);
    assert.equal((await app.call(`~${before}`)).status, 404);
  });

  test('400: what is no logo, and nothing is changed', async () => {
    const before = (await app.call(path)).body;
    for (const [why, file] of [
      ['a PNG that is too wide', png(1_025, 1)],
      ['a PNG of no pixels', png(0, 5)],
      ['a PNG with a bomb', png(10, 10, deflateSync(Buffer.alloc(5_000_000)))],
      ['a PNG without pixels', png(10, 10, Buffer.from('no'))],
      ['a damaged PNG', png(9, 9).fill(7, 20, 24)],
      ['a PNG that is cut off', png(9, 9).subarray(0, 60)],
      ['a GIF', Buffer.from('GIF89a')],
      ['HTML', Buffer.from('<html><svg></svg></html>')],
      ['a large SVG', Buffer.from(SVG + ' '.repeat(100_000))],
    ] as const) {
      const reply = await put(file);
      assert.equal(refusal(reply), '400 rest_invalid_param', why);
      assert.deepEqual(Object.keys(reply.body.data.params), ['content']);
    }
    assert.deepEqual((await app.call(path)).body, before);
  });

  test('only its own operations change the setting', async () => {
    const json = { 'brand.logo': 'logo-0000000000000000.svg' };
    const reply = await app.call('/svc/store/v1/settings', { method: 'PATCH', key: admin, json });
    assert.equal(refusal(reply), '400 rest_invalid_param');
  });

  test('it can be removed, also twice', async () => {
    const { url } = (await app.call(path)).body.logo;
    const remove = { method: 'DELETE', key: await app.key('manager', 'manage') };
    assert.equal((await app.call(`${path}/logo`, remove)).status, 200);
    assert.equal((await app.call(`${path}/logo`, remove)).status, 200);
    assert.equal((await app.call(path)).body.logo, null);
    assert.equal((await app.call(`~${url}`)).status, 404);
  });

  test('403: an affiliate', async () => {
    assert.equal(refusal(await put(SVG, await app.key('maya', 'manage'))), '403 svc_api_forbidden');
  });

  test('concurrent uploads leave one logo, the one that is named', async () => {
    const files = [10, 20, 30, 40].map((width) => png(width, 10));
    const replies = await Promise.all(files.map((file) => put(file)));
    for (const { status } of replies) assert.equal(status, 200);
    const { url } = (await app.call(path)).body.logo;
    for (const { body } of replies) {
      assert.equal((await app.call(`~${body.url}`)).status, body.url === url ? 200 : 404);
    }
  });
});

describe('the colour', () => {
  test('pages link a style sheet with its colours, and the policy stays', async () => {
    await app.set({ 'brand.accent': '#ffcc00' });
    const page = await app.call('~/');
    assert.match(page.text, /href="\/app\/brand\/accent-ffcc00\.css"/);
    assert.match(page.headers.get('content-security-policy')!, /style-src 'self'/);
    assert.doesNotMatch(page.headers.get('content-security-policy')!, /unsafe-inline/);
    const { text, headers } = await app.call('~/app/brand/accent-ffcc00.css');
    assert.equal(headers.get('content-type'), 'text/css; charset=utf-8');
    const { accent } = (await app.call(path)).body;
    assert.equal(accent.color, '#ffcc00');
    assert.deepEqual([accent.light.adjusted, accent.dark.adjusted], [true, false]);
    assert.ok(accent.light.asked_ratio < 4.5 && accent.light.ratio >= 4.5);
    assert.match(text, new RegExp(`:root\\{--accent:${accent.light.color};`));
    assert.match(text, /prefers-color-scheme:dark\)\{:root\{--accent:#ffcc00;/);
  });

  test('a change says what becomes of it', async () => {
    const reply = await app.call('/svc/store/v1/settings/effects', {
      method: 'POST',
      key: admin,
      json: { 'brand.accent': '#ffee00' },
    });
    assert.match(
      reply.body.effects[0].text,
      /^In light mode it is darkened to #[0-9a-f]{6}, because its contrast would be 1\.\d+:1/,
    );
  });

  test('mails have it', async () => {
    const json = { login: 'nora', email: 'nora@test.example' };
    await app.call('/svc/store/v1/registrations', { method: 'POST', json });
    const { light, dark } = (await app.call(path)).body.accent;
    const mail = (await outbox(app.site)).find(({ html }) => html.includes(light.color));
    assert.ok(mail);
    assert.ok(mail.html.includes(dark.color));
  });

  test('400: no colour; 404: files of other names', async () => {
    for (const value of ['red', '#FFF', '#ffcc0', '#ffcc00;}', 'url(x)']) {
      const json = { 'brand.accent': value };
      const reply = await app.call('/svc/store/v1/settings', { method: 'PATCH', key: admin, json });
      assert.equal(refusal(reply), '400 rest_invalid_param', value);
    }
    for (const file of ['accent-FFCC00.css', 'accent-ffcc0.css', 'logo-1.svg', '..%2fx']) {
      assert.equal((await app.call(`~/app/brand/${file}`)).status, 404, file);
    }
  });
});
