import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../test/support/seeded-random.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Upload } from '../../kernel/declare/operation.ts';
import { readMultipart } from './multipart.ts';

const upload: Upload = { content: 'content', name: 'file_name', bytesMax: 1e9 };

/** Cuts a body into pieces of these lengths, over and over. */
async function* pieces(body: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, i = 0; at < body.length; i += 1) {
    const length = lengths[i % lengths.length]!;
    yield body.subarray(at, at + length);
    at += length;
  }
}

/** Returns plain objects, because `deepEqual` compares prototypes. */
async function read(
  body: Buffer,
  type = 'multipart/form-data; boundary=B',
  { lengths = [body.length || 1], ...given }: Partial<Upload> & { lengths?: number[] } = {},
): Promise<unknown> {
  const fields = await readMultipart(type, pieces(body, lengths), {
    upload: { ...upload, ...given },
    parse: JSON.parse,
  });
  return JSON.parse(JSON.stringify(fields));
}

const refused = (promise: Promise<unknown>, status: number, reason: RegExp) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.definition.status, status);
    assert.match(JSON.stringify(error.toBody()), reason);
    return true;
  });

describe('a form with a file', () => {
  test('is what the encoder of Node wrote, wherever it is cut', async () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      // What looks like the end of the part.
      fc.constantFrom('\r', '\r\n', '\r\n--', '\r\n----', '--').map((text) => Buffer.from(text)),
    );
    const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(fc.array(part), fc.string(), lengths, async (parts, text, cuts) => {
        const bytes = Buffer.concat(parts);
        const form = new FormData();
        form.append('kind', 'image');
        form.append('groups', 'Gold');
        form.append('groups', text.replaceAll(/[\r\n]/g, ''));
        form.append('content', new Blob([bytes]), 'Sömmer banner.png');
        const response = new Response(form);
        const type = response.headers.get('content-type')!;
        const body = Buffer.from(await response.arrayBuffer());
        assert.deepEqual(await read(body, type, { lengths: cuts }), {
          kind: 'image',
          groups: ['Gold', text.replaceAll(/[\r\n]/g, '')],
          file_name: 'Sömmer banner.png',
          content: bytes.toString('base64'),
        });
      }),
      { numRuns: 60 },
    );
  });

  test('has lists of files with their names, and JSON beside them', async () => {
    const { name: _, ...list } = { ...upload, isList: true } as const;
    const form = new FormData();
    form.append('json', '{"text":"Hello","day":null}');
    form.append('content', new Blob(['abc']), 'a.txt');
    form.append('content', new Blob(['é']), 'b.txt');
    const response = new Response(form);
    const type = response.headers.get('content-type')!;
    const body = Buffer.from(await response.arrayBuffer());
    const readWith = (given: Partial<Upload>) =>
      readMultipart(type, pieces(body, [7]), {
        upload: { ...list, ...given },
        parse: JSON.parse,
      });
    const files = (contents: string[]) => [
      { name: 'a.txt', content: contents[0] },
      { name: 'b.txt', content: contents[1] },
    ];
    const others = { text: 'Hello', day: null };
    assert.deepEqual({ ...(await readWith({})) }, { ...others, content: files(['YWJj', 'w6k=']) });
    assert.deepEqual(
      { ...(await readWith({ isText: true })) },
      { ...others, content: files(['abc', 'é']) },
    );
  });

  const part = (head: string, content = '') => `--B\r\n${head}\r\n\r\n${content}\r\n`;
  const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;

  test('may begin with a remark, end with one, and name a file with its folder', async () => {
    const file = `${field('content')}; filename="C:\\pictures\\a.png"\r\nContent-Type: image/png`;
    const body = `remark\r\n${part(file, 'abc')}${part(field('name'), 'x')}--B--\r\nremark`;
    assert.deepEqual(await read(Buffer.from(body)), {
      file_name: 'a.png',
      content: Buffer.from('abc').toString('base64'),
      name: 'x',
    });
  });

  test('may leave out quotes, and have a file whose name looks like a parameter', async () => {
    const disposition = 'Content-Disposition: form-data; filename="a; name=b.png"; name=content';
    const body = `${part(disposition, 'abc')}${part('content-disposition: form-data; Name=alt', 'x')}--B--`;
    assert.deepEqual(await read(Buffer.from(body)), {
      file_name: 'a; name=b.png',
      content: Buffer.from('abc').toString('base64'),
      alt: 'x',
    });
  });

  const cases: [string, string | Buffer, RegExp][] = [
    ['an end that is missing', part(field('name'), 'x'), /is not complete/],
    ['nothing', '', /is not complete/],
    ['a part without a name', `${part('Content-Type: text/plain')}--B--`, /without a name/],
    ['a head without an end', '--B\r\nX: y\r\n--B--', /is not complete/],
    ['a file elsewhere', `${part(`${field('alt')}; filename="a"`)}--B--`, /must not be a file/],
    ['a long head', `--B\r\n${'x'.repeat(9_000)}`, /long head/],
    ['many parts', `${part(field('name')).repeat(201)}--B--`, /more than 200 parts/],
    ['something behind a boundary', '--Bx\r\n', /something behind it/],
    [
      'text that is not UTF-8',
      Buffer.from(`${part(field('name'), '\xff')}--B--`, 'latin1'),
      /not valid UTF-8/,
    ],
  ];
  for (const [what, body, reason] of cases) {
    test(`is refused with ${what}`, () => refused(read(Buffer.from(body)), 400, reason));
  }

  test('is refused without a boundary, and beyond its limits', async () => {
    await refused(read(Buffer.from('--B--'), 'multipart/form-data'), 400, /no boundary/);
    const file = `${part(`${field('content')}; filename="a"`, 'x'.repeat(500))}--B--`;
    await refused(
      read(Buffer.from(file), undefined, { bytesMax: 300 }),
      400,
      /larger than 300 bytes/,
    );
    const form = `${file}${'x'.repeat(100_000)}`;
    await refused(read(Buffer.from(form), undefined, { bytesMax: 500 }), 413, /larger/);
    const two = `${part(`${field('content')}; filename="a"`, 'x'.repeat(60)).repeat(2)}--B--`;
    await refused(
      read(Buffer.from(two), undefined, { bytesMax: 100 }),
      400,
      /larger than 100 bytes/,
    );
    const text = `${part(field('text'), 'x'.repeat(1024 * 1024 + 1))}--B--`;
    await refused(read(Buffer.from(text)), 413, /larger/);
  });
});
