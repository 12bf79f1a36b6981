import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { after, describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';

const socket = tempFile('clamd.sock', '').replace(/[^/]*$/, 'scanner');
/** The part of clamd that is used: it answers when the empty piece has come. */
const scanned: Buffer[] = [];
const scanner: Server = createServer((client) => {
  let bytes = Buffer.alloc(0);
  client.on('data', (part: Buffer) => {
    bytes = Buffer.concat([bytes, part]);
    const pieces: Buffer[] = [];
    for (let at = 'zINSTREAM\0'.length; at + 4 <= bytes.length;) {
      const length = bytes.readUInt32BE(at);
      if (length === 0) {
        const file = Buffer.concat(pieces);
        scanned.push(file);
        return client.end(`stream: ${file.includes('EICAR') ? 'Eicar-Test FOUND' : 'OK'}\0`);
      }
      if (at + 4 + length > bytes.length) return;
      pieces.push(bytes.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  });
});
scanner.listen(socket);
await once(scanner, 'listening');
after(() => scanner.close());

const app = await openTestApp({ config: { scannerSocket: socket } });
const key = await app.key('maya', 'read,write');

function send(text: string) {
  const file = { name: 'notes.txt', content: Buffer.from(text).toString('base64') };
  const json = { text: 'See the file.', files: [file] };
  return app.call(`/svc/store/v1/affiliates/${idOf('maya')}/messages`, {
    method: 'POST',
    key,
    json,
  });
}

describe('with a scanner for files', () => {
  test('a file that it accepts is stored, whole', async () => {
    const text = 'Notes. '.repeat(30_000);
    const reply = await send(text);
    assert.equal(reply.status, 201, reply.text);
    assert.equal(String(scanned.at(-1)), text);
  });

  test('400 for one in which it finds something', async () => {
    const reply = await send('X5O!P%@AP EICAR');
    assert.equal(refusal(reply), '400 rest_invalid_param');
    assert.match(JSON.stringify(reply.body.data.params), /scanner/);
  });

  test('503 while it does not answer, and nothing is stored', async () => {
    scanner.close();
    await once(scanner, 'close');
    const reply = await send('Notes');
    assert.equal(refusal(reply), '503 svc_api_not_writable');
  });
});
