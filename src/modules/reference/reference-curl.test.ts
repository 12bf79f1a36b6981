import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { curlOf, KEY_PLACEHOLDER } from './reference-curl.ts';
import type { Document, PlacedOperation } from './reference-document.ts';

const app = await openTestApp();

interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The arguments that a shell passes to `curl` for each of these lines. */
function callsOf(lines: string[]): Call[] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\036\\0'; }\n${lines.join('\n')}\n`;
  const { status, stdout, stderr } = spawnSync('sh', ['-eu'], { input: script, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout
    .split('\u001E\0')
    .slice(0, -1)
    .map((words) => callOf(words.split('\0').slice(0, -1)));
}

function callOf(words: string[]): Call {
  const call: Call = { method: 'GET', url: '', headers: {}, body: undefined };
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]!;
    if (word === '-X') call.method = words[(i += 1)]!;
    else if (word === '-d') call.body = words[(i += 1)]!;
    else if (word === '-H') {
      const [name, value] = words[(i += 1)]!.split(': ') as [string, string];
      call.headers[name.toLowerCase()] = value;
    } else call.url = word;
  }
  return call;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text of the boxes with this title, by operation. */
function boxesOf(page: string, title: string): Map<string, string> {
  const sections = [...page.matchAll(/<section class="operation" id="([^"]+)"[^]*?<\/section>/g)];
  const box = new RegExp(`<figcaption>${title}</figcaption>[^]*?<code>([^]*?)</code>`);
  return new Map(
    sections.map(([text, id]) => {
      const code = box.exec(text)?.[1] ?? '';
      return [id!, code.replaceAll(/<[^>]+>/g, '').replaceAll(/&[^;]+;/g, (e) => ENTITIES[e]!)];
    }),
  );
}

describe('the curl line of an operation', () => {
  for (const api of ['v2', 'store'] as const) {
    test(`${api}: as parsed by a shell, is the documented request`, async () => {
      const lines = boxesOf((await app.call(`~/docs?api=${api}`)).text, 'Request');
      const operations = app.site.registry.activeOperations(api);
      assert.deepEqual([...lines.keys()].sort(), operations.map(({ id }) => id).sort());
      const calls = callsOf([...lines.values()]);
      for (const [i, id] of [...lines.keys()].entries()) {
        const operation = operations.find((one) => one.id === id)!;
        const { method, url, headers, body } = calls[i]!;
        assert.equal(method, operation.method, id);
        assert.ok(url.startsWith(`${app.site.publicUrl}/svc/`), url);
        assert.ok(!/[{}\s]/.test(url), url);
        const authorization = `Bearer ${KEY_PLACEHOLDER}`;
        const isPublic = operation.access === 'public';
        assert.equal(headers['authorization'], isPublic ? undefined : authorization, id);
        assert.equal(headers['content-type'], operation.body && 'application/json', id);
        assert.equal(body === undefined, operation.body === undefined, id);
        if (body !== undefined) assert.ok(typeof JSON.parse(body) === 'object', id);
      }
    });
  }

  for (const api of ['v2', 'store'] as const) {
    test(`${api}: with a key of an administrator, is a valid request`, async () => {
      const service = await openTestApp();
      const key = await service.key('admin', 'read,write,manage');
      const lines = boxesOf((await service.call(`~/docs?api=${api}`)).text, 'Request');
      // Creating a webhook resolves its host name.
      lines.delete('post_webhooks');
      const calls = callsOf([...lines.values()].map((line) => line.replace(KEY_PLACEHOLDER, key)));
      for (const { method, url, headers, body } of calls) {
        const path = url.slice(service.site.publicUrl.length);
        const reply = await service.call(path, {
          method,
          headers,
          ...(body !== undefined && { json: body }),
        });
        const code: unknown = reply.status < 400 ? undefined : reply.body.code;
        // The resource may not exist or conflict with settings, but the request is never invalid.
        assert.ok(
          !/^rest_|unauthorized|forbidden|scope/.test(String(code)),
          `${path} ${reply.text}`,
        );
        assert.ok(reply.status < 500, reply.text);
      }
    });
  }

  test('quotes any text for the shell', () => {
    const hostile = {
      quotes: `it's "so"`,
      shell: '$HOME `id` $(id) !! ; & | > < * ~ \\ \\n %s',
      lines: 'one\ntwo',
    };
    const operation = {
      operationId: 'post_things',
      summary: 'Create',
      tags: [],
      'x-access': 'admin',
      parameters: [
        { name: 'name', in: 'path', required: true, schema: {}, example: "o'neil & co" },
        { name: 'q', in: 'query', required: true, schema: {}, example: '$HOME' },
      ],
      requestBody: { content: { 'application/json': { schema: {}, example: hostile } } },
      responses: {},
    };
    const placed: PlacedOperation = { method: 'POST', path: '/things/{name}', operation };
    const document: Document = {
      info: { title: '', version: '' },
      paths: {},
      components: { schemas: {} },
    };
    const [call] = callsOf([curlOf(placed, document, 'https://api.example')]);
    assert.deepEqual(JSON.parse(call!.body!), hostile);
    assert.equal(call!.method, 'POST');
    assert.equal(call!.url, "https://api.example/things/o'neil%20%26%20co?q=%24HOME");
  });
});
