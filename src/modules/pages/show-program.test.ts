import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';

const app = await openTestApp({ settings: { 'site.currency': 'EUR' } });
const show = async (search = '') => {
  const { status, text } = await app.call(`~/${search}`);
  assert.equal(status, 200);
  return text;
};
const linksOf = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href!);

describe('GET /', () => {
  test('200: a page without script, inline style and external resources', async () => {
    const { headers, text } = await app.call('~/');
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = headers.get('content-security-policy')!.split('; ');
    assert.ok(policy.includes("default-src 'none'"));
    assert.ok(!policy.some((rule) => /https?:|\*|unsafe|script-src/.test(rule)), policy.join());
    assert.ok(!/<script|\son\w+=|style=|url\(/i.test(text));
  });

  test('text of the settings is escaped', async () => {
    await app.set({
      'site.name': '<b>Tom & "Jerry"</b>',
      'program.headline': '<i>Earn</i>',
      'program.text': 'One <u>two</u>\n\nThree',
    });
    const text = await show();
    assert.ok(!/<[biu]>/.test(text));
    assert.ok(text.includes('&lt;b>Tom &amp; &quot;Jerry&quot;&lt;/b>'));
    assert.match(text, /<h1>&lt;i>Earn&lt;\/i><\/h1><p>One &lt;u>two&lt;\/u><\/p><p>Three<\/p>/);
    await app.set({ 'site.name': 'Alpine', 'program.headline': '', 'program.text': '' });
    assert.match(await show(), /<h1>Recommend Alpine and earn<\/h1>/);
  });

  test('own sections are elements; what else they contain stays text', async () => {
    const sections = async (text: string) => {
      await app.set({ 'program.sections': text });
      return (await show()).match(/<div class="formatted-text">(.*?)<\/div>/s)?.[1];
    };
    assert.equal(
      await sections(
        '## Who we **are**\nOne line\nand another\n\n- a [page](https://shop.example/?a=1&b=2)\n- **[mail](mailto:a@b.example)**\n1. first\n2) [terms](/terms)\n### Small',
      ),
      '<h2>Who we <strong>are</strong></h2><p>One line\nand another</p>' +
        '<ul><li>a <a href="https://shop.example/?a=1&amp;b=2">page</a></li>' +
        '<li><strong><a href="mailto:a@b.example">mail</a></strong></li></ul>' +
        '<ol><li>first</li><li><a href="/terms">terms</a></li></ol><h3>Small</h3>',
    );
    for (const hostile of [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '## <svg onload=alert(1)>',
      '- <a href="javascript:alert(1)">x</a>',
      '**<b onclick=alert(1)>x</b>**',
      '[x](javascript:alert(1))',
      '[x](javascript:alert`1`)',
      '[x](JaVaScRiPt:alert`1`)',
      '[x](\u0001javascript:alert`1`)',
      '[x](java\tscript:alert`1`)',
      '[x](data:text/html,hello)',
      '[x](vbscript:x)',
      '[x](//evil.example)',
      '[x](/\\evil.example)',
      '[x](https://a.example/"onmouseover="alert`1`)',
      '[<b onclick=a>](https://a.example)',
    ]) {
      const shown = (await sections(hostile))!;
      const elements = shown
        .match(/<[^>]*>/g)!
        .filter((tag) => !/^<\/?(p|h2|ul|li|strong)>$/.test(tag));
      const links = elements.filter((tag) => tag !== '</a>');
      assert.ok(
        links.every((tag) => /^<a href="https:\/\/a\.example[^"\s<]*">$/.test(tag)),
        `${hostile} became ${shown}`,
      );
    }
    const started = performance.now();
    for (const many of ['[', '**', '[a](', '**a', '# ', '- \n', '[a](https://x']) {
      await sections(many.repeat(8000 / many.length));
    }
    assert.ok(performance.now() - started < 5_000, 'the time grows with the text only');
    await app.set({ 'program.sections': '' });
    assert.equal((await show()).includes('formatted-text'), false);
  });

  test('describes itself to search engines and messengers', async () => {
    const text = await show();
    assert.match(
      text,
      /<meta name="description" content="Share a link or a code\. [^"]*\d+%[^"]*"/,
    );
    assert.match(text, /<meta property="og:title" content="[^"]+"/);
    const address = text.match(/<meta property="og:url" content="([^"]+)"/)?.[1];
    assert.equal(address, `${app.site.publicUrl}/`);
    await app.set({ 'program.text': `${'long '.repeat(100)}\n\nMore` });
    const own = (await show()).match(/<meta name="description" content="([^"]*)"/)?.[1];
    assert.equal(own?.length, 200);
    await app.set({ 'program.text': '' });
  });

  test('answers questions by the terms', async () => {
    await app.set({ 'commission.delay_days': 0 });
    assert.match(await show(), /can be withdrawn as soon as the order is completed/);
    await app.set({ 'commission.delay_days': 14 });
    assert.match(await show(), /A commission waits for 14 days, so that returns are known/);
    await app.set({ 'commission.delay_days': 0 });
  });

  test('says what the settings say', async () => {
    await app.set({ 'commission.percent': 12.5, 'attribution.cookie_days': 60 });
    let text = await show();
    assert.match(text, /12\.5%/);
    assert.match(text, /60 days/);
    assert.doesNotMatch(text, /waiting period|smallest payout|later orders/);
    await app.set({
      'commission.percent': 0,
      'commission.fixed_per_order': 4,
      'commission.delay_days': 1,
      'payouts.threshold': 50,
      'payouts.methods': ['paypal', 'credit'],
      'attribution.lifetime': true,
    });
    text = await show();
    assert.doesNotMatch(text, /%/);
    assert.match(text, /€4\.00/);
    assert.match(text, /1 day<[^]*waiting period/);
    assert.match(text, /€50\.00<[^]*smallest payout/);
    assert.match(text, /PayPal and Store credit/);
    assert.match(text, /later orders of the same customer/);
  });

  test('lists the rules that hold for everyone, in the language of the visitor, escaped', async () => {
    const key = await app.key('admin', 'read,write,manage');
    const send = (method: string, path: string, json?: object) =>
      app.call(`/svc/store/v1/rewards${path}`, { method, key, ...(json && { json }) });
    const add = async (json: object) => (await send('POST', '/rules', json)).body.id;
    const rulesOn = async (search = '') =>
      [...(await show(search)).matchAll(/<li>((?:You|Sie)[^]*?)<\/li>/g)].map(([, text]) => text);
    assert.deepEqual(await rulesOn(), []);
    const today = app.site.calendar.dayOf(app.site.clock());
    const ids = [
      await add({ what: { tags: ['<i>'] }, rate: { percent: 15 }, to: today }),
      await add({ who: { affiliates: [1] }, rate: { percent: 16 } }),
      await add({ active: false, rate: { percent: 17 } }),
      await add({ what: { tags: ['gift'] }, rate: { excluded: true } }),
    ];
    const [first, second, ...others] = await rulesOn();
    assert.match(first!, /^You earn 15% on products with the tag &lt;i>, until /);
    assert.equal(second, 'You earn nothing on products with the tag gift.');
    assert.deepEqual(others, []);
    assert.match((await rulesOn('?lang=de'))[0]!, /^Sie verdienen 15/);
    app.advance(24 * 60 * 60_000);
    assert.deepEqual(await rulesOn(), [second], 'the first one is over');
    await send('PATCH', `/rules/${ids[3]}`, { what: { tags: ['card'] } });
    assert.deepEqual(await rulesOn(), [second.replace('gift', 'card')]);
    for (const id of ids) await send('DELETE', `/rules/${id}`);
    assert.deepEqual(await rulesOn(), []);
  });

  test('says what can be earned first, and then what the first rules exclude', async () => {
    const key = await app.key('admin', 'read,write,manage');
    const send = (method: string, path: string, json?: object) =>
      app.call(`/svc/store/v1/rewards${path}`, { method, key, ...(json && { json }) });
    const add = async (json: object) => (await send('POST', '/rules', json)).body.id;
    const excluded = { excluded: true };
    const ids = [
      await add({ rate: excluded, what: { categories: ['accessories'] } }),
      await add({ rate: { percent: 15 }, what: { categories: ['sets'] } }),
      await add({ rate: excluded, what: { tags: ['sale'] } }),
    ];
    const named = { 'rewards.category_names': { accessories: 'Cases & straps' } };
    const patch = { method: 'PATCH', key, json: named };
    assert.equal((await app.call('/svc/store/v1/settings', patch)).status, 200);
    const text = await show();
    const lists = [...text.matchAll(/<([ou]l) class="program-rules">([^]*?)<\/\1>/g)].map(
      ([, name, items]) => [name, ...items!.matchAll(/<li>([^]*?)<\/li>/g).map(([, item]) => item)],
    );
    assert.deepEqual(lists, [
      [
        'ol',
        'You earn 15% on products in the category sets.',
        'You earn nothing on products with the tag sale.',
      ],
      ['ul', 'You earn nothing on products in the category Cases &amp; straps.'],
    ]);
    for (const id of ids) await send('DELETE', `/rules/${id}`);
  });

  test('lists the bonuses for everyone, in the language of the visitor', async () => {
    const key = await app.key('admin', 'read,write,manage');
    const send = async (method: string, path: string, json?: object) =>
      (await app.call(`/svc/store/v1/rewards${path}`, { method, key, ...(json && { json }) })).body;
    const bonusesOn = async (search = '') =>
      [...(await show(search)).matchAll(/<li>((?:You|Sie)[^]*?)<\/li>/g)].map(([, text]) => text);
    const bonus = { name: 'First', target: { event: 'first_order' }, pays: { amount: 25 } };
    const { id } = await send('POST', '/bonuses', bonus);
    await send('POST', '/bonuses', { ...bonus, who: { affiliates: [1] } });
    await send('POST', '/bonuses', { ...bonus, active: false });
    const [sentence, ...others] = await bonusesOn();
    assert.match(sentence!, /^You get \S*25\.00 for the first referred order/);
    assert.deepEqual(others, []);
    assert.match((await bonusesOn('?lang=de'))[0]!, /^Sie erhalten .*25,00/);
    await send('DELETE', `/bonuses/${id}`);
    assert.deepEqual(await bonusesOn(), []);
  });

  test('promises no payouts without the add-on', async () => {
    await app.set({ 'addons.disabled': ['payouts'] });
    assert.doesNotMatch(await show(), /smallest payout|PayPal/);
    await app.set({ 'addons.disabled': [] });
  });

  test('is in the language of the link, and of the browser', async () => {
    assert.match(await show('?lang=de'), /<html lang="de">[^]*Jetzt bewerben/);
    const { text } = await app.call('~/', { headers: { 'accept-language': 'fr-CA, en;q=0.5' } });
    assert.match(text, /<html lang="fr">/);
  });

  test('links to the form while it is open, to the store once its URL is set, to the reference if public', async () => {
    const offered = async () =>
      linksOf(await show()).filter((href) => !/^\?lang|^\/app\/files|icon/.test(href));
    assert.deepEqual(await offered(), ['/', '/apply', '/app/login', '/docs']);
    await app.set({ 'site.store_url': 'https://shop.example', 'api.openapi_public': false });
    assert.deepEqual(await offered(), ['/', '/apply', '/app/login', 'https://shop.example']);
    await app.set({ 'registrations.open': false });
    assert.deepEqual(await offered(), ['/', '/app/login', 'https://shop.example']);
    assert.match(await show(), /New applications are closed/);
  });

  test('an expired session still sees it', async () => {
    const session = { cookie: '__Host-tributary_session=longgone', csrf: undefined };
    assert.equal((await app.call('~/', { session })).status, 200);
  });

  test('before the setup it says where the link is', async () => {
    const fresh = await openTestApp();
    const roles = (from: string, to: string) =>
      fresh.site.database.transaction((tx) =>
        tx.execute(`update users set role = '${to}' where role = '${from}'`),
      );
    await roles('administrator', 'customer');
    const { status, text } = await fresh.call('~/');
    assert.equal(status, 200);
    assert.match(text, /not set up yet[^]*\.\/tributary setup/);
    await fresh.site.database.transaction((tx) =>
      tx.execute("update users set role = 'administrator' where login = 'admin'"),
    );
    assert.doesNotMatch((await fresh.call('~/')).text, /not set up yet/);
  });
});

describe('what programs ask every site for', () => {
  test('GET /robots.txt keeps search engines out of everything but the public pages', async () => {
    const { status, headers, text } = await app.call('~/robots.txt');
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
    assert.match(text, /^User-agent: \*\nDisallow: \/app\n/);
  });

  test('GET /favicon.ico is the icon', async () => {
    const { status, headers, text } = await app.call('~/favicon.ico');
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
    assert.match(text, /^<svg /);
  });

  test('GET /favicon.ico is the logo of the store once it has one, and is read again only if it changed', async () => {
    const logo = (width: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 8"><rect width="8" height="8"/></svg>`;
    const key = await app.key('admin', 'manage');
    const setLogo = async (width: number) => {
      const json = { content: Buffer.from(logo(width)).toString('base64') };
      const set = await app.call('/svc/store/v1/brand/logo', { method: 'PUT', key, json });
      assert.equal(set.status, 200, set.text);
      return set.body.url;
    };
    const url = await setLogo(8);
    const { headers, text } = await app.call('~/favicon.ico');
    assert.equal(text, logo(8));
    assert.equal(headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'public, no-cache');
    assert.match(headers.get('content-security-policy')!, /^sandbox;/);
    const ask = () =>
      app.call('~/favicon.ico', { headers: { 'If-None-Match': headers.get('etag')! } });
    assert.equal((await ask()).status, 304);
    for (const page of ['~/', '~/app/login']) {
      assert.ok((await app.call(page)).text.includes(`<link rel="icon" href="${url}"`), page);
    }
    await setLogo(16);
    assert.equal((await ask()).text, logo(16));
    await app.call('/svc/store/v1/brand/logo', { method: 'DELETE', key });
    assert.notEqual((await ask()).text, logo(16));
  });
});
