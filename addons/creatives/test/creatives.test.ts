import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { cleanUpFiles } from '../../../src/modules/files/clean-up.ts';
import { idOf, openTestApp, type CallOptions } from '../../../test/support/harness.ts';

const STORE = '~/svc/store/v1';
const app = await openTestApp({ settings: { 'site.store_url': 'https://store.example/' } });
const admin = await app.key('admin', 'read,write,manage');
const maya = idOf('maya');
const mayaKey = await app.key('maya', 'read');

async function send(method: string, path: string, json?: unknown, options: CallOptions = {}) {
  const reply = await app.call(`${STORE}${path}`, {
    method,
    key: admin,
    ...(json !== undefined && { json }),
    ...options,
  });
  return reply;
}

async function created(json: object) {
  const { status, body, text } = await send('POST', '/creatives', json);
  assert.equal(status, 201, text);
  return body;
}

const png = async (width = 40, height = 20) =>
  (
    await sharp({ create: { width, height, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
  ).toString('base64');

await send('POST', '/coupons', { code: 'MAYA10', user_id: maya });
await send('POST', '/coupons', { code: 'TOMAS', user_id: idOf('tomas') });

const own = async (query = '') =>
  (await app.call(`${STORE}/affiliates/${maya}/creatives${query}`, { key: mayaKey })).body;

describe('kinds', () => {
  test('an image has a file, a thumbnail and snippets with link and code', async () => {
    const { id, file } = await created({
      kind: 'image',
      name: 'Banner',
      alt: 'A "ridge" <in> [fog]',
      url: '/summer?x=1',
      content: await png(),
      file_name: 'banner.png',
    });
    assert.deepEqual([file.type, file.width, file.height], ['image/png', 40, 20]);
    assert.equal((await fetch(file.thumbnail)).status, 200);
    const [mine] = await own('?kind=image');
    const link = `${app.site.publicUrl}/r/MAYA10?to=%2Fsummer%3Fx%3D1&creative=${id}`;
    assert.equal(mine.link, link);
    assert.deepEqual(mine.snippets, {
      html:
        `<a href="${link.replace('&', '&amp;')}"><img src="${file.url}" ` +
        'alt="A &quot;ridge&quot; &lt;in&gt; [fog]" width="40" height="20"></a>\n<p>Code: MAYA10</p>',
      markdown: `[![A "ridge" \\<in\\> \\[fog\\]](${file.url})](${link})\n\nCode: MAYA10`,
      text: `A "ridge" <in> [fog]\n${link}\nCode: MAYA10`,
    });
    assert.equal('groups' in mine || 'clicks' in mine, false);
  });

  test('a text has the link and the code where it names them', async () => {
    const { id } = await created({
      kind: 'email',
      name: 'Mail',
      language: 'de',
      text: 'Hello <you>,\n\nuse {code} at {link}!\nBye',
    });
    const [{ snippets, link }] = await own('?kind=email');
    assert.equal(link, `${app.site.publicUrl}/r/MAYA10?creative=${id}`);
    assert.equal(snippets.text, `Hello <you>,\n\nuse MAYA10 at ${link}!\nBye`);
    assert.equal(
      snippets.html,
      `<p>Hello &lt;you&gt;,</p>\n<p>use MAYA10 at <a href="${link}">${link}</a>!<br>\nBye</p>`,
    );
    await created({ kind: 'text', name: 'Short', text: 'Look' });
    assert.match((await own('?kind=text'))[0].snippets.text, /^Look\n\nhttp.*creative=\d+$/);
  });

  test('a file and a link', async () => {
    const content = Buffer.from('Prices').toString('base64');
    const { file } = await created({ kind: 'file', name: 'Prices', content, file_name: 'p.txt' });
    assert.equal(file.thumbnail, null);
    const [mine] = await own('?kind=file');
    assert.equal(mine.snippets.text.split('\n')[1], file.url);
    await created({ kind: 'link', name: 'Shoes', url: 'https://store.example/shoes' });
    assert.match((await own('?kind=link'))[0].snippets.markdown, /^\[Shoes\]\(http.*to=%2Fshoes/);
  });

  test('what is missing or wrong is named', async () => {
    const cases: [object, string][] = [
      [{ kind: 'image', name: 'x', alt: 'y' }, 'content'],
      [{ kind: 'image', name: 'x', content: await png() }, 'alt'],
      [{ kind: 'image', name: 'x', alt: 'y', content: 'PHN2Zy8+' }, 'content'],
      [{ kind: 'text', name: 'x' }, 'text'],
      [{ kind: 'text', name: 'x', text: 'y', content: await png() }, 'content'],
      [{ kind: 'link', name: 'x', url: 'https://other.example/' }, 'url'],
      [{ kind: 'link', name: 'x', url: 'javascript:alert(1)' }, 'url'],
      [{ kind: 'link', name: 'x', groups: ['None'] }, 'groups'],
      [{ kind: 'link', name: 'x', affiliates: [999] }, 'affiliates'],
      [{ kind: 'link', name: 'x', from: '2026-02-02', to: '2026-02-01' }, 'to'],
    ];
    const before = (await send('GET', '/creatives')).headers.get('x-wp-total');
    for (const [json, name] of cases) {
      const { status, body, text } = await send('POST', '/creatives', json);
      assert.equal(status, 400, text);
      assert.deepEqual(Object.keys(body.data.params), [name], text);
    }
    assert.equal((await send('GET', '/creatives')).headers.get('x-wp-total'), before);
  });

  test('more than the largest file is refused before it is read', async () => {
    const json = { kind: 'file', name: 'x', content: 'A'.repeat(40_000_000) };
    const { status, body } = await send('POST', '/creatives', json);
    assert.deepEqual([status, body.code], [413, 'rest_payload_too_large']);
  });
});

describe('who sees it', () => {
  const names = async () => (await own('?per_page=100')).map(({ name }: { name: string }) => name);

  test('members of its groups, its affiliates, and no others', async () => {
    await send('POST', '/groups', { name: 'Gold' });
    await created({ kind: 'link', name: 'Gold only', groups: ['Gold'] });
    const { id } = await created({ kind: 'link', name: 'Tomas only', affiliates: [idOf('tomas')] });
    assert(!(await names()).includes('Gold only'));
    await send('PATCH', `/affiliates/${maya}`, { groups: ['Gold'] });
    assert((await names()).includes('Gold only'));
    assert(!(await names()).includes('Tomas only'));
    const { body } = await send('PATCH', `/creatives/${id}`, { affiliates: [idOf('tomas'), maya] });
    assert.deepEqual(body.affiliates, [maya, idOf('tomas')]);
    assert.deepEqual(body.affiliate_names, ['maya', 'tomas']);
    assert((await names()).includes('Tomas only'));
    await send('PATCH', `/creatives/${id}`, { affiliates: [] });
    assert((await names()).includes('Tomas only'));
  });

  test('from its first to its last day', async () => {
    const day = (days: number) => app.site.calendar.dayOf(app.site.clock() + days * 86_400_000);
    await created({ kind: 'link', name: 'today', from: day(0), to: day(0) });
    await created({ kind: 'link', name: 'tomorrow', from: day(1) });
    await created({ kind: 'link', name: 'yesterday', to: day(-1) });
    const shown = await names();
    assert.deepEqual(
      ['today', 'tomorrow', 'yesterday'].filter((name) => shown.includes(name)),
      ['today'],
    );
  });

  test('an affiliate reads its own only, and changes none', async () => {
    const others = await app.call(`${STORE}/affiliates/${idOf('tomas')}/creatives`, {
      key: mayaKey,
    });
    assert.equal(others.status, 404);
    assert.equal((await send('GET', '/creatives', undefined, { key: mayaKey })).status, 403);
  });
});

test('clicks and orders of a creative are those of the report, also two orders of one click', async () => {
  const { id } = await created({ kind: 'link', name: 'Counted' });
  const { headers } = await fetch(`${app.site.publicUrl}/r/MAYA10?creative=${id}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' },
  });
  const click = new URL(headers.get('location')!).searchParams.get('click_id');
  for (const order of [1, 2]) {
    await send('PUT', `/orders/${order}`, {
      status: 'completed',
      date: app.site.calendar.dayOf(app.site.clock()),
      total: 100,
      click_id: Number(click),
    });
  }
  const { body } = await send('GET', '/creatives');
  const { clicks, orders } = body.find((one: { id: number }) => one.id === id);
  assert.deepEqual([clicks, orders], [1, 2]);
  const report = await app.call(`${STORE}/reports?by=creative`, { key: admin });
  assert.deepEqual(
    report.body.rows.map((row: any) => [row.id, row.name, row.figures.clicks, row.figures.orders]),
    [[id, 'Counted', clicks, orders]],
  );
});

test('a new file replaces the old one, and deleting a creative deletes its file', async () => {
  const { id, file } = await created({ kind: 'image', name: 'a', alt: 'b', content: await png() });
  const { body } = await send('PATCH', `/creatives/${id}`, { content: await png(8, 8) });
  assert.equal(body.file.width, 8);
  assert.equal(body.alt, 'b');
  assert.equal((await fetch(file.url)).status, 404);
  assert.equal((await fetch(body.file.url)).status, 200);
  assert.equal((await send('DELETE', `/creatives/${id}`)).status, 200);
  assert.equal((await fetch(body.file.url)).status, 404);
  await cleanUpFiles.run(app.site);
  assert.equal((await send('DELETE', `/creatives/${id}`)).status, 404);
});

describe('a form with a file', () => {
  const sendForm = (method: string, path: string, body: FormData) =>
    app.call(`/svc/store/v1${path}`, { method, key: admin, form: body });
  const form = (fields: Record<string, string>, bytes?: Uint8Array<ArrayBuffer>) => {
    const made = new FormData();
    for (const [name, value] of Object.entries(fields)) made.append(name, value);
    if (bytes) made.append('content', new Blob([bytes]), 'ridge.png');
    return made;
  };

  test('creates and changes a creative like JSON', async () => {
    const small = new Uint8Array(Buffer.from(await png(), 'base64'));
    const fields = { kind: 'image', name: 'Ridge', alt: 'A ridge', groups: '' };
    const made = await sendForm('POST', '/creatives', form(fields, small));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual([made.body.file.name, made.body.file.width], ['ridge.png', 40]);
    const large = new Uint8Array(Buffer.from(await png(80, 20), 'base64'));
    const path = `/creatives/${made.body.id}`;
    const changed = await sendForm('PATCH', path, form({ file_name: 'wide.png' }, large));
    assert.deepEqual([changed.body.file.name, changed.body.file.width], ['wide.png', 80]);
    assert.equal(changed.body.name, 'Ridge');
  });

  test('has the limits of JSON', async () => {
    const file = { kind: 'file', name: 'Long' };
    const large = await sendForm('POST', '/creatives', form(file, Buffer.alloc(25_000_002, 'x')));
    assert.equal(large.status, 400);
    assert.ok(large.body.data.params.content);
    const huge = await sendForm('POST', '/creatives', form(file, new Uint8Array(40_000_000)));
    assert.equal(huge.status, 413);
    const page = await sendForm('POST', '/creatives', form(file, Buffer.from('<html>')));
    assert.match(page.body.data.params.content, /a browser would run/);
    const other = await sendForm('POST', '/coupons', form({ code: 'X' }));
    assert.equal(other.status, 415);
  });
});
