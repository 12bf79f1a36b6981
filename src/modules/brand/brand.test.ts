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
/** As the console does. */
function sendForm(file: Buffer<ArrayBuffer>, name: 'logo' | 'picture', key = admin) {
  const form = new FormData();
  form.append('content', new Blob([file]), 'a file.svg');
  return app.call(`${path}/${name}`, { method: 'PUT', key, form });
}

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
    assert.deepEqual((await sendForm(Buffer.from(SVG), 'logo')).body, body);
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

/** The smallest structure of a JPEG file, with what a camera adds. */
function jpeg(width: number, height: number, more: readonly Buffer[] = []) {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0')),
    segment(0xe1, Buffer.from('Exif\0\0 GPS of a home')),
    segment(0xfe, Buffer.from('a comment')),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    ...more,
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from('<script>alert(1)</script>'),
  ]);
}

describe('the picture of the program page', () => {
  const putPicture = (file: Buffer<ArrayBuffer>, key = admin) => sendForm(file, 'picture', key);

  test('a JPEG file is shown on the page and beside links to it, without what a camera added', async () => {
    assert.equal((await put(png(8, 8))).status, 200);
    const { status, body } = await putPicture(jpeg(1200, 630));
    assert.equal(status, 200);
    assert.match(body.url, /^\/app\/brand\/picture-[0-9a-f]{16}-1200x630\.jpg$/);
    const file = await app.call(`~${body.url}`);
    assert.equal(file.headers.get('content-type'), 'image/jpeg');
    assert.doesNotMatch(file.text, /GPS|comment|script/);
    await app.set({ 'program.picture_text': 'A "tent" in the snow' });
    const page = (await app.call('~/')).text;
    assert.match(page, new RegExp(`<img class="program-picture" src="${body.url}" width="1200"`));
    const fact = (name: string) =>
      page.match(new RegExp(`<meta property="${name}" content="([^"]*)"`))?.[1];
    assert.equal(fact('og:image'), app.site.publicUrl + body.url);
    assert.deepEqual([fact('og:image:width'), fact('og:image:height')], ['1200', '630']);
    assert.equal(fact('og:image:alt'), 'A &quot;tent&quot; in the snow');
    assert.equal(fact('twitter:card'), 'summary_large_image');
    const { picture, logo } = (await app.call(path)).body;
    assert.deepEqual(picture, { url: body.url, width: 1200, height: 630 });
    assert.equal(logo.width, 8, 'the logo stays');
  });

  test('a PNG file replaces it, and it can be removed', async () => {
    const before = (await app.call(path)).body.picture.url;
    const { body } = await putPicture(png(1300, 20));
    assert.match(body.url, /-1300x20\.png$/);
    assert.equal((await app.call(`~${before}`)).status, 404);
    const remove = { method: 'DELETE', key: await app.key('manager', 'manage') };
    assert.equal((await app.call(`${path}/picture`, remove)).status, 200);
    assert.equal((await app.call(path)).body.picture, null);
    assert.equal((await app.call(`~${body.url}`)).status, 404);
    assert.doesNotMatch((await app.call('~/')).text, /program-picture|og:image:width/);
    assert.notEqual((await app.call(path)).body.logo, null);
  });

  test('400: what is not a picture', async () => {
    const whole = jpeg(10, 10);
    for (const [why, file] of [
      ['too wide', jpeg(2_401, 10)],
      ['no height', jpeg(10, 0)],
      ['cut off within the pixels', whole.subarray(0, whole.indexOf(Buffer.from([0xff, 0xd0])))],
      ['cut off within a segment', whole.subarray(0, 30)],
      ['two bytes', whole.subarray(0, 2)],
      ['three bytes', whole.subarray(0, 3)],
      [
        'a frame of another format',
        Buffer.from(whole).fill(0xc9, whole.indexOf(0xc0), whole.indexOf(0xc0) + 1),
      ],
      ['no marker where one must be', jpeg(10, 10, [Buffer.from('hello')])],
      ['no image', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
      ['filled with marks', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(9_000, 0xff)])],
      ['SVG', Buffer.from(SVG)],
      ['too large', Buffer.concat([whole, Buffer.alloc(600_000)])],
    ] as const) {
      assert.equal(refusal(await putPicture(file)), '400 rest_invalid_param', why);
    }
  });

  test('403: an affiliate', async () => {
    const key = await app.key('maya', 'manage');
    assert.equal(refusal(await putPicture(jpeg(9, 9), key)), '403 svc_api_forbidden');
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
