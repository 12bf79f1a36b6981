import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import Value from 'typebox/value';
import { idOf, openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { fastParent } from '../../../test/support/temp-folder.ts';
import { copyFiles } from '../../cli/backup-files.ts';
import { anonymous, system, type Caller, type Person } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { cleanUpFiles } from './clean-up.ts';
import { fileResponse } from './file-response.ts';
import { removeFilesOfUser } from './file-rows.ts';
import {
  FileFacts,
  FileInput,
  findFiles,
  removeFile,
  storeFile,
  toFileFacts,
  useFile,
  verifyFiles,
  type FileRow,
  type FileSender,
} from './index.ts';
import { readFile, type FileKind } from './read-file.ts';
import type { FilePurpose } from './store-file.ts';

const app = await openTestApp();

/** The team, which is still there. */
const sender: FileSender = { caller: system, request: { requireStillThere: () => {} } };
const turn = { name: '', requireStillThere: () => {} };

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6b53' } });
const PAYLOAD = '<script>alert(1)</script>';
const zipEnd = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF\n');

const forStore: FilePurpose = { kind: 'file', access: 'public', userId: null, field: 'content' };

/** As an operation does: `prepare`, then the transaction. */
async function upload(
  { site }: TestApp,
  bytes: Buffer,
  name = 'file.png',
  purpose: Partial<FilePurpose> = {},
) {
  const content = bytes.toString('base64');
  const draft = await storeFile(site, sender, { name, content }, { ...forStore, ...purpose });
  await site.database.transaction((tx) => useFile(tx, draft));
  return { row: draft, facts: toFileFacts(site, draft) };
}

describe('what is refused, by its content', () => {
  const refuses = (
    name: string,
    reason: RegExp,
    bytes: () => Buffer | Promise<Buffer>,
    kind: FileKind = 'file',
  ) => {
    test(name, async () => {
      await assert.rejects(readFile(await bytes(), kind, turn), {
        name: /^(FileError|TooLarge)$/,
        message: reason,
      });
    });
  };

  refuses('a page', /^is a page or a drawing/, () => Buffer.from(`<!doctype html>${PAYLOAD}`));
  refuses(
    'an SVG drawing as an image',
    /^is a page or a drawing/,
    () => Buffer.from('<svg xmlns="x"/>'),
    'image',
  );
  refuses('a text as an image', /^is no image/, () => Buffer.from('hello'), 'image');
  refuses('a program', /^is none of/, () => Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'));
  refuses('an empty file', /^is none of/, () => Buffer.alloc(0));
  refuses('a header of an image with a script behind it', /^is damaged/, () =>
    Buffer.from(`GIF89a/*\0\0\0*/=1;${PAYLOAD}`, 'latin1'),
  );
  refuses('an image that ends early', /^is damaged/, async () =>
    (await picture(300, 300).jpeg().toBuffer()).subarray(0, 400),
  );
  refuses('a PDF file that is a ZIP file too', /^is two files in one/, () =>
    Buffer.concat([pdf, zipEnd]),
  );
  refuses('a ZIP file with something behind it', /^is not complete/, () =>
    Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), zipEnd, Buffer.from(PAYLOAD)]),
  );
  refuses(
    'an image of more than 5 MB',
    /^is larger than 5 MB/,
    () => Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(5_000_000)]),
    'image',
  );
  refuses('an image of more than 10 MB with a message', /^is larger than 10 MB/, () =>
    Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(10_000_000)]),
  );
  refuses('a file of more than 25 MB', /^is larger than 25 MB/, () =>
    Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(25_000_000), Buffer.from('%%EOF')]),
  );
  refuses('an image of a few bytes with a billion pixels', /^has 30000 × 30000 pixels/, () =>
    pictureThatClaims(30_000, 30_000),
  );
  refuses('an image of more than 12 million pixels', /^has 4000 × 3051 pixels/, () =>
    pictureThatClaims(4_000, 3_051),
  );
});

async function pictureThatClaims(width: number, height: number): Promise<Buffer> {
  const header = await picture(1, 1).png().toBuffer();
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
  return header;
}

const codeOf = (error: unknown) => (error as ApiError).definition.code;

describe('images wait for each other', () => {
  beforeEach(async () => {
    // The place of the image before is free only then.
    for (let i = 0; i < 2; i++) await setImmediate();
  });
  const encode = async (name: string, requireStillThere = () => {}) =>
    readFile(await pixel, 'image', { name, requireStillThere }).then(() => 'done', codeOf);
  const pixel = picture(1, 1).png().toBuffer();
  const FULL = 'svc_api_rate_limited';

  test('a person has one in work and two that wait, and the next answer says when to come again', async () => {
    const given = await pixel;
    const read = () => readFile(given, 'image', { name: 'maya', requireStillThere() {} });
    const [third, ...others] = [read(), read(), read(), read()].toReversed();
    const all = Promise.all([...others, encode('tomas')]);
    await assert.rejects(third!, {
      definition: generalErrors.rateLimited,
      data: { retry_after: 5 },
    });
    await all;
  });

  test('twenty wait in all', async () => {
    const senders = Array.from({ length: 22 }, (_, i) => `user ${i}`);
    const results = await Promise.all(senders.map((name) => encode(name)));
    assert.equal(results.filter((result) => result === 'done').length, 21);
    assert.equal(results.at(-1), FULL);
  });

  test('one of a sender that has left is not read', async () => {
    const gone = () => {
      throw new ApiError(generalErrors.callerGone);
    };
    const [first, left] = await Promise.all([encode('maya'), encode('maya', gone)]);
    assert.deepEqual([first, left], ['done', generalErrors.callerGone.code]);
  });
});

test('what an affiliate sends on a day is counted before it is stored', async () => {
  const { site } = await openTestApp();
  const person = { id: idOf('maya'), role: 'affiliate' } as Person;
  const caller: Caller = { ...anonymous, kind: 'person', person };
  const content = Buffer.concat([Buffer.alloc(20_000_000, pdf), pdf]).toString('base64');
  const send = () =>
    storeFile(site, { ...sender, caller }, { name: 'a.pdf', content }, forStore).catch(codeOf);
  const results = await Promise.all([send(), send(), send()]);
  assert.deepEqual(
    results.filter((result) => typeof result === 'string'),
    ['svc_api_too_many_bytes'],
  );
  assert.equal(readdirSync(site.filesFolder).length, 2);
});

test('an image is written again with nothing but its pixels', async () => {
  const photo = await picture(800, 400)
    .withExif({ IFD0: { Copyright: 'A person' } })
    .jpeg()
    .toBuffer();
  const file = await readFile(Buffer.concat([photo, Buffer.from(PAYLOAD), zipEnd]), 'image', turn);
  assert.deepEqual([file.type, file.width, file.height], ['image/jpeg', 800, 400]);
  for (const word of [PAYLOAD, 'PK\x05\x06', 'A person']) assert(!file.bytes.includes(word));
  const small = await sharp(file.small!).metadata();
  assert.deepEqual([small.format, small.width, small.height], ['webp', 400, 200]);
});

describe('in the data folder', () => {
  test('a public file is read by its address alone, and cached for ever', async () => {
    const { facts, row } = await upload(app, await picture(20, 10).png().toBuffer(), 'Ünï "x".exe');
    assert.match(facts.url, /\/files\/[0-9a-f]{40}\.png$/);
    const reply = await fetch(facts.url);
    assert.equal(reply.status, 200);
    assert.equal((await reply.arrayBuffer()).byteLength, row.bytes);
    assert.equal(reply.headers.get('content-type'), 'image/png');
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(reply.headers.get('content-security-policy')!, /^sandbox; default-src 'none'/);
    assert.equal(reply.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(
      reply.headers.get('content-disposition'),
      `inline; filename="_n_ _x_.png"; filename*=UTF-8''%C3%9Cn%C3%AF%20%22x%22.png`,
    );
    assert.equal((await fetch(facts.thumbnail!)).headers.get('content-type'), 'image/webp');
    assert.equal((await fetch(facts.url, { method: 'HEAD' })).status, 200);
    for (const wrong of ['.svg', '.html', '-small.png', '']) {
      assert.equal((await fetch(facts.url.replace('.png', wrong))).status, 404, wrong);
    }
  });

  test('a document is saved, never shown', async () => {
    const { facts } = await upload(app, pdf, 'terms.pdf');
    const reply = await fetch(facts.url);
    assert.match(reply.headers.get('content-disposition')!, /^attachment; filename="terms\.pdf"/);
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), pdf);
  });

  test('a private file and a draft have no address', async () => {
    const { facts } = await upload(app, pdf, 'a.pdf', { access: 'private' });
    assert.equal((await fetch(facts.url)).status, 404);
    const content = pdf.toString('base64');
    const draft = await storeFile(app.site, sender, { name: 'a.pdf', content }, forStore);
    assert.equal((await fetch(toFileFacts(app.site, draft).url)).status, 404);
  });

  test('a private file that an operation sends is not stored by caches', async () => {
    const { row, facts } = await upload(app, pdf, 'a.pdf', { access: 'private' });
    assert(Value.Check(FileFacts, facts));
    const [found]: FileRow[] = await findFiles(app.site.database.read, [row.id]);
    const { headers } = await fileResponse(app.site, found!);
    assert.equal(headers['Cache-Control'], 'private, no-store');
    assert.equal(headers['Cross-Origin-Resource-Policy'], 'same-origin');
  });

  test('the largest file may be as long as a form takes', () => {
    const content = 'A'.repeat(Math.ceil(25_000_000 / 3) * 4);
    assert(Value.Check(FileInput, { name: 'a.zip', content }));
    assert(!Value.Check(FileInput, { name: 'a.zip', content: `${content}A` }));
  });

  test('the error names the parameter', async () => {
    const content = Buffer.from(PAYLOAD).toString('base64');
    const stored = storeFile(
      app.site,
      sender,
      { name: 'a', content },
      { ...forStore, field: 'file.content' },
    );
    await assert.rejects(stored, (error: ApiError) => {
      assert.equal(error.definition.status, 400);
      assert.deepEqual(Object.keys(error.data.params as object), ['file.content']);
      return true;
    });
  });

  test('what nothing uses is deleted: removed files at once, drafts after an hour', async () => {
    const { site } = app;
    const folder = site.filesFolder;
    const { row, facts } = await upload(app, await picture(9, 9).png().toBuffer());
    const content = pdf.toString('base64');
    const draft = await storeFile(site, sender, { name: 'a.pdf', content }, forStore);
    await site.database.transaction((tx) => removeFile(tx, { id: row.id }));
    assert.equal((await fetch(facts.url)).status, 404);
    assert(existsSync(join(folder, row.key)));
    await cleanUpFiles.run(site);
    const left = readdirSync(folder);
    assert(!left.some((name) => name.startsWith(row.key)));
    assert(left.includes(draft.key));
    app.advance(61 * 60_000);
    await cleanUpFiles.run(site);
    assert(!existsSync(join(folder, draft.key)));
    await assert.rejects(
      site.database.transaction((tx) => useFile(tx, draft)),
      { definition: generalErrors.conflict },
    );
  });

  test('the files of a person are deleted with the person', async () => {
    const userId = idOf('tomas');
    const { row, facts } = await upload(app, pdf, 'Tomas.pdf', { userId });
    await app.site.database.transaction((tx) => removeFilesOfUser(tx, { user_id: userId }));
    assert.equal((await fetch(facts.url)).status, 404);
    await cleanUpFiles.run(app.site);
    assert(!existsSync(join(app.site.filesFolder, row.key)));
  });

  test('a backup copies them, and verify finds what is missing or changed', async () => {
    const { site } = app;
    const { row } = await upload(app, await picture(30, 30).webp().toBuffer());
    assert.deepEqual((await verifyFiles(site)).differences, []);
    const target = mkdtempSync(join(fastParent, 'tributary-files-'));
    try {
      await copyFiles(site, target);
      const [copied, stored] = [readdirSync(target), readdirSync(site.filesFolder)];
      assert(copied.includes(row.key) && copied.includes(`${row.key}-small`));
      assert.deepEqual(
        copied.filter((name) => !stored.includes(name)),
        [],
      );
    } finally {
      rmSync(target, { recursive: true });
    }
    const { row: other } = await upload(app, pdf);
    writeFileSync(join(site.filesFolder, row.key), 'other');
    rmSync(join(site.filesFolder, other.key));
    assert.deepEqual(
      (await verifyFiles(site)).differences.map(({ key, problem }) => [key, problem]),
      [
        [row.key, 'changed'],
        [other.key, 'missing'],
      ],
    );
  });
});
