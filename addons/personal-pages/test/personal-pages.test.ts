import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { findFiles } from '../../../src/modules/files/index.ts';
import { idOf, openTestApp, type CallOptions } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { findPage, listPagesOf } from '../page-rows.ts';

const STORE = '~/svc/store/v1';
const settings = { 'site.store_url': 'https://store.example/', 'site.name': 'Alpine' };
const app = await openTestApp({ settings: { ...settings, 'personal_pages.enabled': true } });
const admin = await app.key('admin', 'read,write,manage');
const maya = idOf('maya');
const mayaKey = await app.key('maya', 'read,write');
const tomasKey = await app.key('tomas', 'read,write');

const send = (method: string, path: string, json?: unknown, options: CallOptions = {}) =>
  app.call(`${STORE}${path}`, {
    method,
    key: admin,
    ...(json !== undefined && { json }),
    ...options,
  });
const OWN = `/affiliates/${maya}/personal-page`;
const own = { key: mayaKey };
const write = (json: object, options: CallOptions = own) => send('PUT', OWN, json, options);
const accept = (id: number) => send('POST', `/personal-pages/${id}/accept`);
const show = (code = 'MAYA10', options: CallOptions = {}) => app.call(`~/with/${code}`, options);

async function picture(color = '#246', side = 900) {
  const create = { width: side, height: side / 2, channels: 3 as const, background: color };
  const bytes = await sharp({ create }).jpeg().toBuffer();
  return { name: 'me.jpg', content: bytes.toString('base64') };
}

/** No picture has more detail than noise that need not be made smaller. */
async function noise() {
  const raw = { width: 400, height: 400, channels: 3 as const };
  const bytes = await sharp(randomBytes(400 * 400 * 3), { raw })
    .jpeg()
    .toBuffer();
  return { name: 'me.jpg', content: bytes.toString('base64') };
}

await send('POST', '/coupons', { code: 'MAYA10', user_id: maya });
await send('POST', '/coupons', { code: 'TOMAS', user_id: idOf('tomas') });

/** Reads the picture of a page that a visitor has. */
async function statusOfPicture(text: string): Promise<number> {
  const path = /<img src="(\/with\/MAYA10\/picture[^"]+)"/.exec(text)![1]!;
  return (await app.call(`~${path}`)).status;
}

describe('the review', () => {
  test('visitors see what was accepted, and nothing that waits or was declined', async () => {
    assert.equal((await show()).status, 302, 'without a page the address leads to the store');
    const first = await write({ name: 'Maya', text: 'Hello', picture: await picture() });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(
      [first.body.shown, first.body.proposed.state, first.body.url],
      [null, 'waiting', `${app.site.publicUrl}/with/MAYA10`],
    );
    assert.equal((await show()).status, 302);
    assert.equal((await accept(first.body.proposed.id)).body.state, 'shown');
    const page = await show();
    assert.match(page.text, /Maya recommends Alpine[^]*Hello[^]*MAYA10/);
    assert.equal(await statusOfPicture(page.text), 200);

    const second = await write({ name: 'Maya', text: 'Buy now', language: 'en' });
    assert.equal(second.body.shown.text, 'Hello');
    const { id } = second.body.proposed;
    const reason = 'Friendlier, please.';
    const declined = await send('POST', `/personal-pages/${id}/decline`, { reason });
    assert.deepEqual([declined.body.state, declined.body.reason], ['declined', reason]);
    assert.match((await show()).text, /Hello/);
    assert.equal((await send('GET', OWN, undefined, own)).body.proposed.reason, reason);

    const third = await write({ name: 'Maya', text: 'Good boots' });
    assert.equal((await accept(id)).status, 404, 'that version was replaced');
    await accept(third.body.proposed.id);
    const now = await show();
    assert.match(now.text, /Good boots/);
    assert.equal(await statusOfPicture(now.text), 200, 'the picture stays with the new text');
  });

  test('a picture is read by the team and its owner only, until it is accepted', async () => {
    const before = (await show()).text;
    const { body } = await write({ name: 'Maya', text: 'x', picture: await picture('#a00') });
    const path = new URL(body.proposed.picture).pathname.replace('/svc/store/v1', '');
    const read = async (options: CallOptions) =>
      (await send('GET', path, undefined, options)).status;
    assert.deepEqual(
      [await read({}), await read(own), await read({ key: tomasKey })],
      [200, 200, 404],
    );
    assert.equal((await app.call(`${STORE}${path}`)).status, 401);
    const row = await findPage(app.site.database.read, { id: body.proposed.id });
    const [file] = await findFiles(app.site.database.read, [row!.file_id!]);
    const shown = () => app.call(`~/with/MAYA10/picture?v=${file!.id}`);
    assert.equal((await shown()).status, 404);
    await accept(body.proposed.id);
    assert.equal((await shown()).status, 200);
    assert.equal((await app.call(`~/files/${file!.key}-small.webp`)).status, 404);
    assert.equal(await statusOfPicture(before), 404, 'the replaced picture is gone');
  });

  test('a shown page is taken away by declining it', async () => {
    const shown = (await send('GET', '/personal-pages?state=shown')).body[0];
    assert.equal(shown.affiliate, 'maya');
    const { text } = await show();
    await send('POST', `/personal-pages/${shown.id}/decline`, { reason: '' });
    assert.equal((await show()).status, 302);
    assert.equal(await statusOfPicture(text), 404);
    await accept(shown.id);
    assert.equal(await statusOfPicture((await show()).text), 200);
  });

  test('without a review, and from the team, a page is shown immediately', async () => {
    await app.set({ 'personal_pages.review': false });
    const mine = (await write({ name: 'Maya', text: 'Direct', picture: null })).body;
    assert.deepEqual([mine.shown.text, mine.shown.picture, mine.proposed], ['Direct', null, null]);
    await app.set({ 'personal_pages.review': true });
    await write({ name: 'Maya', text: 'Mine' });
    const { body } = await write({ name: 'Maya', text: 'Ours' }, {});
    assert.deepEqual([body.shown.text, body.proposed], ['Ours', null]);
  });

  test('the overview and the feed know of what waits', async () => {
    const { body } = await write({ name: 'Maya', text: 'Again' });
    const { needs } = (await send('GET', '/overview')).body;
    const need = needs.find(({ name }: { name: string }) => name === 'personal_pages');
    assert.equal(need.count, 1);
    await accept(body.proposed.id);
    const events = (await app.call('/svc/v2/events?event=personal_page', { key: admin })).body;
    assert.deepEqual(
      events.slice(0, 2).map((one: any) => [one.event, one.object_id]),
      [
        ['personal_page.shown', maya],
        ['personal_page.submitted', maya],
      ],
    );
  });

  test('an affiliate writes its own page only, and decides nothing', async () => {
    const others = { key: tomasKey };
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await send(method, OWN, undefined, others)).status, 404);
    }
    assert.equal((await write({ name: 'x', text: '' }, others)).status, 404);
    assert.equal((await send('GET', '/personal-pages', undefined, others)).status, 403);
    assert.equal((await send('POST', '/personal-pages/1/accept', {}, others)).status, 403);
  });

  test('what is wrong is named, and changes nothing', async () => {
    const before = await send('GET', OWN);
    const bomb = { name: 'x.svg', content: Buffer.from('<svg/>').toString('base64') };
    for (const [json, field] of [
      [{ name: ' ', text: '' }, 'name'],
      [{ name: 'x\ny', text: '' }, 'name'],
      [{ name: 'x', text: 'y'.repeat(2_001) }, 'text'],
      [{ name: 'x', text: '', language: 'xx' }, 'language'],
      [{ name: 'x', text: '', picture: bomb }, 'picture'],
    ] as const) {
      const { status, body, text } = await write(json);
      assert.deepEqual([status, Object.keys(body.data.params)], [400, [field]], text);
    }
    assert.deepEqual((await send('GET', OWN)).body, before.body);
    const large = { name: 'x', content: 'A'.repeat(1_100_000) };
    assert.equal((await write({ name: 'x', text: '', picture: large })).status, 413);
  });
});

describe('the mail about a decision', () => {
  const decline = (id: number, reason: string) =>
    send('POST', `/personal-pages/${id}/decline`, { reason });
  /** What deciding adds to the outbox. */
  const mailsBy = async (decide: () => Promise<unknown>) => {
    const { length } = await outbox(app.site);
    await decide();
    return (await outbox(app.site)).slice(length);
  };
  const propose = async () =>
    (await write({ name: 'Maya', text: 'Hello' })).body.proposed.id as number;

  test('an accepted page: one mail with its address, also when it is accepted twice at once', async () => {
    const id = await propose();
    const [mail, ...more] = await mailsBy(() => Promise.all([accept(id), accept(id), accept(id)]));
    assert.deepEqual([mail?.template, more], ['personal-page-accepted', []]);
    assert.equal(mail!.to_address, 'maya@test.example');
    assert.ok(mail!.text.includes(`${app.site.publicUrl}/with/MAYA10`), mail!.text);
    assert.ok(mail!.text.includes(`${app.site.publicUrl}/app/links`), mail!.text);
    assert.deepEqual(await mailsBy(() => accept(id)), []);
  });

  test('a declined page: one mail with the reason and the way to the form', async () => {
    const id = await propose();
    const reason = 'Friendlier, please. <b>';
    const [mail, ...more] = await mailsBy(() =>
      Promise.all([decline(id, reason), decline(id, reason)]),
    );
    assert.deepEqual([mail?.template, more], ['personal-page-declined', []]);
    assert.ok(mail!.text.includes(reason), mail!.text);
    assert.match(mail!.text, /still see the version[^]*submit the page again/);
    assert.ok(mail!.text.includes(`${app.site.publicUrl}/app/links`), mail!.text);
    assert.deepEqual(await mailsBy(() => decline(id, reason)), []);
    const [other] = await mailsBy(() => decline(id, ''));
    assert.doesNotMatch(other!.text, /Friendlier/, 'another reason is another decision');
  });

  test('a shown page that is taken away while a later version waits', async () => {
    const { shown } = (await send('GET', OWN)).body;
    const later = await propose();
    const [mail] = await mailsBy(() => decline(shown.id, ''));
    assert.match(mail!.text, /wrote later is still being reviewed/);
    assert.doesNotMatch(mail!.text, /still see/);
    assert.equal((await mailsBy(() => accept(later))).length, 1);
  });

  test('in the language of the affiliate, unless it is switched off', async () => {
    const choose = (json: object) => send('PATCH', '/account', json, own);
    assert.equal((await choose({ language: 'de' })).body.notifications.personal_page, true);
    const first = await propose();
    const [german] = await mailsBy(() => accept(first));
    assert.match(german!.text, /^Guten Tag maya,\n\nAlpine hat Ihre persönliche Seite angenommen/);
    await choose({ language: 'en', notifications: { personal_page: false } });
    const second = await propose();
    assert.deepEqual(await mailsBy(() => decline(second, 'No')), []);
    await choose({ notifications: { personal_page: true } });
    await app.set({ 'personal_pages.enabled': false });
    assert.deepEqual(await mailsBy(() => accept(second)), [], 'visitors see nothing');
    const { notifications } = (await send('GET', '/account', undefined, own)).body;
    assert.equal('personal_page' in notifications, false);
    await app.set({ 'personal_pages.enabled': true });
  });

  test('what the team writes itself is no decision', async () => {
    assert.deepEqual(await mailsBy(() => write({ name: 'Maya', text: 'Ours' }, {})), []);
  });
});

describe('GET /with/{code}', () => {
  test('a small page without script, in the language of the visitor', async () => {
    await write({ name: 'Maya', text: 'Eins\n\nZwei', language: 'de', picture: await noise() }, {});
    const { headers, text } = await show('maya10', {
      headers: { 'accept-language': 'fr', 'accept-encoding': 'identity' },
    });
    assert.equal(headers.get('content-language'), 'fr');
    assert.match(text, /<p class="personal-text" lang="de">Eins<\/p>/);
    assert.match(text, /Maya recommande Alpine/);
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe|https?:/);
    assert.doesNotMatch(text, /<script|\son\w+=|style=/i);
    const loaded = [...text.matchAll(/(?:<img src|rel="stylesheet" href)="([^"]+)"/g)];
    let bytes = Buffer.byteLength(text);
    for (const [, path] of loaded) {
      const file = await fetch(app.site.publicUrl + path!);
      // What arrives, compressed where it is a style sheet.
      bytes += Number(file.headers.get('content-length'));
    }
    assert.equal(loaded.length, 2);
    assert.ok(bytes <= 30_000, `${bytes} bytes`);
  });

  test('what an affiliate writes stays text', async () => {
    const hostile = '<script>alert(1)</script> [x](javascript:alert(1)) "onload="x';
    await write({ name: hostile.slice(0, 100), text: hostile }, {});
    const { text } = await show();
    assert.doesNotMatch(text, /<script|<a [^>]*javascript/i);
    assert.equal([...text.matchAll(/&lt;script/g)].length >= 2, true);
    await write({ name: 'Maya', text: 'Hello' }, {});
  });

  test('its link is a click, with the campaign and the sub-ids of the address, and leads to no other host', async () => {
    const linkIn = (text: string) =>
      /<a class="button"[^>]* href="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    const search = '?campaign=spring&sub1=a&lang=en&to=https%3A%2F%2Fevil.example';
    const link = linkIn((await show(`MAYA10${search}`)).text);
    assert.ok(link.startsWith(`${app.site.publicUrl}/r/MAYA10?`), link);
    assert.doesNotMatch(link, /lang=/);
    const { headers } = await fetch(link, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' },
    });
    const target = new URL(headers.get('location')!);
    assert.deepEqual(
      [target.host, target.pathname, target.searchParams.get('campaign')],
      ['store.example', '/', 'spring'],
    );
    assert.match(target.searchParams.get('click_id')!, /^\d+$/);
    const long = linkIn((await show(`MAYA10?a=${'x'.repeat(3_000)}`)).text);
    assert.equal(long, `${app.site.publicUrl}/r/MAYA10`);
    const direct = await show(`TOMAS${search}`);
    assert.equal(direct.status, 302);
    assert.ok(direct.headers.get('location')!.startsWith(`${app.site.publicUrl}/r/TOMAS?`));
  });

  test('HEAD, and 304 while nothing has changed', async () => {
    const page = await show();
    assert.equal(page.headers.get('cache-control'), 'private, no-cache');
    const etag = page.headers.get('etag')!;
    const again = () => show('MAYA10', { headers: { 'If-None-Match': etag } });
    assert.equal((await again()).status, 304);
    const head = await show('MAYA10', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag]);
    await write({ name: 'Maya', text: 'New' }, {});
    assert.equal((await again()).status, 200);
  });

  test('unknown codes, suspended affiliates, and stores that have not switched it on', async () => {
    assert.equal((await show('NONE')).status, 404);
    const { text } = await show();
    const statuses = async () => [(await show()).status, await statusOfPicture(text)];
    await send('PATCH', `/affiliates/${maya}`, { status: 'suspended' });
    assert.deepEqual(await statuses(), [302, 404]);
    await send('PATCH', `/affiliates/${maya}`, { status: 'active' });
    assert.deepEqual(await statuses(), [200, 200]);
    await app.set({ 'personal_pages.enabled': false });
    assert.deepEqual(await statuses(), [404, 404]);
    assert.equal((await write({ name: 'x', text: '', picture: await noise() })).status, 409);
    await app.set({ 'personal_pages.enabled': true, 'addons.disabled': ['personal_pages'] });
    assert.equal((await show()).status, 404);
    assert.equal((await send('GET', OWN)).status, 404);
    await app.set({ 'addons.disabled': [] });
  });
});

test('a deleted page and an erased person leave neither text nor picture', async () => {
  const save = async () =>
    (await write({ name: 'Maya', text: 'Hi', picture: await picture() }, {})).status;
  await save();
  const { text } = await show();
  assert.equal((await send('DELETE', OWN, undefined, own)).body.deleted, true);
  assert.equal(await statusOfPicture(text), 404);
  await save();
  const again = (await show()).text;
  const erased = await send('POST', `/affiliates/${maya}/anonymise`, { login: 'maya' });
  assert.equal(erased.status, 200, erased.text);
  assert.equal(await statusOfPicture(again), 404);
  assert.deepEqual(await listPagesOf(app.site.database.read, { user_id: maya }), []);
  assert.equal((await write({ name: 'Maya', text: 'Hi' }, {})).status, 409);
});
