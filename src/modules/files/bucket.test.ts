import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import S3rver from 's3rver';
import { openTestApp } from '../../../test/support/harness.ts';
import { fastParent } from '../../../test/support/temp-folder.ts';
import { cleanUpFiles } from './clean-up.ts';
import { removeFile, storeFile, toFileFacts, useFile, verifyFiles } from './index.ts';

const folder = mkdtempSync(join(fastParent, 'tributary-bucket-'));
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: folder,
  configureBuckets: [{ name: 'shared', configs: [] }],
});
const { port } = await server.run();
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('files are kept in an S3-compatible store, and nothing in the data folder', async () => {
  const filesUrl = `s3://S3RVER:S3RVER@127.0.0.1:${port}/shared/shop?region=us-east-1&tls=off`;
  const app = await openTestApp({ config: { filesUrl } });
  const { site } = app;
  const content = Buffer.from('Terms for our affiliates').toString('base64');
  const file = await storeFile(
    site,
    { name: 'terms.txt', content },
    { kind: 'file', access: 'public', userId: null, field: 'content' },
  );
  await site.database.transaction((tx) => useFile(tx, file));
  assert(!existsSync(site.filesFolder));
  assert(existsSync(join(folder, 'shared', 'shop', `${file.key}._S3rver_object`)));

  const { url } = toFileFacts(site, file);
  const reply = await fetch(url);
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await reply.text(), 'Terms for our affiliates');
  assert.deepEqual(await verifyFiles(site), { checked: 1, differences: [] });

  await site.database.transaction((tx) => removeFile(tx, { id: file.id }));
  await cleanUpFiles.run(site);
  assert(!existsSync(join(folder, 'shared', 'shop', `${file.key}._S3rver_object`)));
  assert.equal((await fetch(url)).status, 404);
});
