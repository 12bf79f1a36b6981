import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { isSigned } from '../../../test/support/signed-requests.ts';
import { system } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { cleanUpFiles } from './clean-up.ts';
import {
  filesUnavailable,
  removeFile,
  storeFile,
  toFileFacts,
  useFile,
  verifyFiles,
} from './index.ts';

/** A store in memory that refuses every request whose signature does not fit. */
const KEY = { keyId: 'shop', secret: 'a/secret+of=the store' };
const objects = new Map<string, { type: string | undefined; body: Buffer }>();
const store = createServer((request, response) => {
  void (async () => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const object = objects.get(url);
    if (!isSigned({ method, url, headers, body }, KEY)) {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    } else if (method === 'PUT') {
      objects.set(url, { type: headers['content-type'], body });
      response.end();
    } else if (method === 'DELETE') {
      objects.delete(url);
      response.writeHead(204).end();
    } else if (object === undefined) {
      response.writeHead(404, { 'content-type': 'application/xml' });
      response.end('<Error><Code>NoSuchKey</Code></Error>');
    } else {
      response.setHeader('content-type', object.type ?? 'application/octet-stream');
      response.setHeader('content-length', object.body.length);
      response.end(method === 'HEAD' ? undefined : object.body);
    }
  })();
});
await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
// A server that listens on a port has an address with it.
const { port } = store.address() as AddressInfo;
after(() => {
  store.close();
  store.closeAllConnections();
});

const addressFor = (secret: string) =>
  `s3://${KEY.keyId}:${encodeURIComponent(secret)}@127.0.0.1:${port}/shared/shop?region=us-east-1&tls=off`;

test('the example of the description of the signature is accepted, and with another key refused', () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  };
  const request = { method: 'GET', url: '/test.txt', headers, body: Buffer.alloc(0) };
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  const keyId = 'AKIAIOSFODNN7EXAMPLE';
  assert.equal(isSigned(request, { keyId, secret }), true);
  assert.equal(isSigned(request, { keyId, secret: `${secret}x` }), false);
  assert.equal(isSigned({ ...request, url: '/other.txt' }, { keyId, secret }), false);
});

test('a wrong key stores nothing', async () => {
  const { site } = await openTestApp({ config: { filesUrl: addressFor('wrong') } });
  await assert.rejects(put(site), { definition: filesUnavailable });
  assert.equal(objects.size, 0);
});

test('files are kept in an S3-compatible store, and nothing in the data folder', async () => {
  const { site } = await openTestApp({ config: { filesUrl: addressFor(KEY.secret) } });
  const file = await put(site);
  await site.database.transaction((tx) => useFile(tx, file));
  assert(!existsSync(site.filesFolder));
  assert.deepEqual([...objects.keys()], [`/shared/shop/${file.key}`]);

  const { url } = toFileFacts(site, file);
  const reply = await fetch(url);
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await reply.text(), 'Terms for our affiliates');
  assert.deepEqual(await verifyFiles(site), { checked: 1, differences: [] });

  await site.database.transaction((tx) => removeFile(tx, { id: file.id }));
  await cleanUpFiles.run(site);
  assert.equal(objects.size, 0);
  assert.equal((await fetch(url)).status, 404);
});

describe('a bucket that does not do what it should', () => {
  /** Answers like a bucket in place of one. */
  const openWith = async (answer: RequestListener) => {
    const bucket = createServer(answer);
    await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
    after(() => bucket.close());
    // A server that listens on a port has an address with it.
    const { port: bucketPort } = bucket.address() as AddressInfo;
    const filesUrl = addressFor(KEY.secret).replace(String(port), String(bucketPort));
    const app = await openTestApp({ config: { filesUrl } });
    return { app, bucket };
  };
  const kept = async (site: Site) => {
    const file = await put(site);
    await site.database.transaction((tx) => useFile(tx, file));
    return toFileFacts(site, file).url;
  };

  test('sends us elsewhere: nothing arrives there', async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url!);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    after(() => other.close());
    const { port: otherPort } = other.address() as AddressInfo;
    const { app } = await openWith((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${otherPort}/canary` }).end();
    });
    await assert.rejects(put(app.site), { definition: filesUnavailable });
    assert.deepEqual(asked, []);
  });

  test('refuses, or is not reached: 503', async () => {
    let status = 200;
    const { app, bucket } = await openWith((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(status).end());
    });
    const path = new URL(await kept(app.site)).pathname;
    const get = async () => {
      const { status: answer, body, headers } = await app.call(`~${path}`);
      return [answer, body.code, headers.get('retry-after')];
    };
    status = 403;
    assert.deepEqual(await get(), [503, 'svc_api_files_unavailable', '5']);
    bucket.closeAllConnections();
    await new Promise((resolve) => bucket.close(resolve));
    assert.deepEqual(await get(), [503, 'svc_api_files_unavailable', '5']);
  });

  test('has fewer or more bytes than were stored: the connection ends', async () => {
    let content = '';
    const { app } = await openWith((request, response) => {
      request.resume();
      request.on('end', () => response.end(request.method === 'GET' ? content : ''));
    });
    const url = await kept(app.site);
    for (content of ['Terms', 'Terms for our affiliates, and more']) {
      await assert.rejects(fetch(url).then((reply) => reply.text()));
    }
  });
});

const team = { caller: system, request: { requireStillThere: () => {} } };

function put(site: Site) {
  const content = Buffer.from('Terms for our affiliates').toString('base64');
  const purpose = { kind: 'file', access: 'public', userId: null, field: 'content' } as const;
  return storeFile(site, team, { name: 'terms.txt', content }, purpose);
}
