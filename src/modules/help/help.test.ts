import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { guidePages } from './guide-pages.ts';
import { searchGuides } from './search-guides.ts';

const root = join(import.meta.dirname, '../../..');
const app = await openTestApp({ settings: { 'site.name': 'Alpine Goods' } });
const names = [...guidePages().keys()];
/** A section that has words which no other has. */
const SAFARI = 'links-and-clicks#safari-serve-the-script-from-your-own-host';

/** The hosts that guides send people to. The service itself asks none of them. */
const OUTSIDE = new Set([
  'dev.shopify.com',
  'github.com',
  'wordpress.org',
  'www.standardwebhooks.com',
]);

/** Addresses of examples, which are not links. */
const isOutside = (address: string) => OUTSIDE.has(new URL(address).host);

async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await app.call(`~${path}`, { headers });
  assert.equal(reply.status, 200, path);
  return reply;
}

/** Reads each page once: many lead to the same. */
const pages = new Map<string, Promise<string>>();
function textAt(path: string): Promise<string> {
  if (!pages.has(path))
    pages.set(
      path,
      get(path).then(({ text }) => text),
    );
  return pages.get(path)!;
}

async function assertLeadsSomewhere(address: string, from: string): Promise<void> {
  if (/^https?:/.test(address)) return assert.ok(isOutside(address), `${from}: ${address}`);
  const { pathname, search, hash } = new URL(address, `http://${from}`);
  const text = await textAt(pathname + search);
  if (hash === '' || pathname.endsWith('.md')) return;
  assert.ok(text.includes(`id="${hash.slice(1)}"`), `${from}: ${address}`);
}

describe('GET /help', () => {
  test('lists every guide by its reader', async () => {
    const { text, headers } = await get('/help');
    const listed = [...text.matchAll(/<a href="\/help\/([\w-]+)"/g)].map(([, name]) => name);
    assert.deepEqual(listed, names);
    assert.match(text, /For owners of the program.*For affiliates.*For integrators/s);
    assert.match(headers.get('content-security-policy')!, /^default-src 'none';/);
  });

  test('is in the language of the browser, and says that the guides are not', async () => {
    const { text } = await get('/help?lang=de');
    assert.match(text, /<html lang="de">.*<h1>Anleitungen<\/h1>.*sind auf Englisch/s);
    assert.match(text, /<ul class="help-list" lang="en">/);
  });

  test('finds the section of a guide, with the words marked, and leads to it', async () => {
    const { text } = await get('/help?q=safari+script');
    const [, href, label, excerpt] =
      /<li><a href="([^"]+)">([^<]+)<\/a><p>(.*?)<\/p>/.exec(text) ?? [];
    assert.equal(href, `/help/${SAFARI}`);
    assert.match(label!, /^Links and clicks.* › Safari: serve the script from your own host$/);
    assert.match(excerpt!, /<mark>Safari<\/mark> deletes cookies that a <mark>script<\/mark>/);
    await assertLeadsSomewhere(href, 'localhost/help');
  });

  test('says when nothing is found, and shows what was searched for as text', async () => {
    const { text } = await get('/help?q=%3Cb%3Exyzzy%22');
    assert.match(text, /No guide has “&lt;b>xyzzy&quot;” in it/);
    assert.match(text, /value="&lt;b>xyzzy&quot;"/);
    assert.match((await get('/help?q=%20%20')).text, /For owners of the program/);
  });

  test('400: a query as long as a page', async () => {
    assert.equal((await app.call(`~/help?q=${'a'.repeat(201)}`)).status, 400);
  });
});

describe('searchGuides', () => {
  const found = (query: string) => searchGuides(guidePages().values(), query);

  test('prefers the section that has the word in its heading', () => {
    assert.equal(found('consent')[0]?.href, '/help/links-and-clicks#ask-for-consent-first');
  });

  test('asks for all words, and for most of them if no section has all', () => {
    assert.equal(found('conversion safari')[0]?.href, `/help/${SAFARI}`);
    assert.equal(found('xyzzy safari')[0]?.href, `/help/${SAFARI}`);
  });

  test('finds words by their beginnings, whatever their case, and no parts of words', () => {
    assert.ok(found('TRACKI').some(({ title }) => title.startsWith('Tracking')));
    assert.ok(found('racking').every(({ title }) => !title.startsWith('Tracking')));
  });

  test('leaves signs aside that mean something in a pattern', () => {
    assert.deepEqual(found('.*'), []);
    assert.deepEqual(found('('), []);
  });

  test('shows a short excerpt around the first word, cut between words', () => {
    for (const { excerpt } of found('order')) {
      const text = excerpt.map((part) => part.text).join('');
      assert.ok(text.length < 300, text);
    }
    const [{ excerpt }] = found('throw-away mailbox') as [ReturnType<typeof found>[number]];
    assert.ok(excerpt.some(({ text, isMatch }) => isMatch && /^throw$/i.test(text)));
  });
});

describe('GET /help/{guide}', () => {
  test('shows a guide with its contents, under the name of the store', async () => {
    const { text, headers } = await get('/help/tracking');
    assert.match(text, /<title>Tracking[^<]* · Alpine Goods<\/title>/);
    assert.match(text, /<a href="#the-link">The link<\/a>.*<h2 id="the-link">/s);
    assert.match(headers.get('content-security-policy')!, /^default-src 'none';/);
    assert.match(headers.get('content-type')!, /^text\/html/);
    assert.doesNotMatch(text, /<script/);
  });

  for (const path of ['/help', '/help/owner', '/help/owner.md', '/llms.txt']) {
    test(`${path} is sent again only when it changed`, async () => {
      const { headers } = await get(path);
      const known = { 'If-None-Match': headers.get('etag')! };
      assert.equal((await app.call(`~${path}`, { headers: known })).status, 304);
    });
  }

  test('404: a guide that does not exist gets the page of any unknown path', async () => {
    const headers = { accept: 'text/html' };
    const unknown = await app.call('~/help/nothing', { headers });
    assert.equal(unknown.status, 404);
    const withoutId = (text: string) => text.replace(/<code>\w+-\w+<\/code>/, '');
    const other = await app.call('~/nothing', { headers });
    assert.equal(withoutId(unknown.text), withoutId(other.text));
    assert.equal((await app.call('~/help/nothing.md')).status, 404);
    assert.equal((await app.call('~/help/constructor')).status, 404);
  });

  test('404: while the web app is off', async () => {
    await app.set({ 'web.enabled': false });
    const paths = ['/help', '/help/owner', '/help/owner.md', '/llms.txt'];
    const replies = await Promise.all(paths.map((path) => app.call(`~${path}`)));
    await app.set({ 'web.enabled': true });
    assert.deepEqual(
      replies.map(({ status }) => status),
      paths.map(() => 404),
    );
  });
});

describe('GET /help/{guide}.md', () => {
  test('is the file, with links that work here', async () => {
    const { text, headers } = await get('/help/rewards.md');
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
    const withoutTargets = (markdown: string) => markdown.replaceAll(/\]\([^)]*\)/g, ']()');
    const file = readFileSync(join(root, 'docs/guides/rewards.md'), 'utf8');
    assert.equal(withoutTargets(text), withoutTargets(file));
    assert.match(text, /\]\(\/help\/reward-rules\.md\)/);
  });
});

describe('every guide', () => {
  test('is in the list, and every file of the list is there', () => {
    const files = globSync('{docs/guides/*,docs/api/*,addons/*/guide,addons/*/guides/*}.md', {
      cwd: root,
    });
    const named = files.map((file) =>
      file.endsWith('/guide.md') ? basename(dirname(file)) : basename(file, '.md'),
    );
    assert.deepEqual(
      named.filter((name) => !names.includes(name)),
      [],
    );
    for (const guide of guidePages().values()) {
      assert.ok(guide.html.length > 500 && guide.about.length > 10, guide.name);
    }
  });

  for (const name of names) {
    test(`${name}: every link and picture leads somewhere, as a page and as Markdown`, async () => {
      const html = (await textAt(`/help/${name}`)).replace(/^.*?<main/s, '');
      const targets = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target]) => target!);
      const markdown = (await textAt(`/help/${name}.md`)).replaceAll(/^ *```.*?^ *```/gms, '');
      const linked = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
      const ownPages = targets.filter((target) => !target.startsWith('?lang='));
      for (const target of ownPages) await assertLeadsSomewhere(target, `localhost/help/${name}`);
      for (const target of linked) await assertLeadsSomewhere(target, `localhost/help/${name}.md`);
    });
  }
});

describe('GET /llms.txt', () => {
  test('names the program and what can be read about it', async () => {
    const { text, headers } = await get('/llms.txt');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(text, /^# The affiliate program of Alpine Goods\n\n> [^\n]+\n\n## For owners/);
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S.*$/gm)].map(([, url]) => url!);
    assert.deepEqual(
      links.slice(0, -3).map((url) => url.split('/').at(-1)),
      names.map((name) => `${name}.md`),
    );
    for (const url of links) await get(url.replace(app.site.publicUrl, ''));
    assert.ok(links.every((url) => url.startsWith(app.site.publicUrl)));
  });

  test('leaves out the documents of the API while they are not public', async () => {
    await app.set({ 'api.openapi_public': false });
    const { text } = await get('/llms.txt');
    await app.set({ 'api.openapi_public': true });
    assert.doesNotMatch(text, /openapi/);
  });
});
