import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { eventually } from '../../test/support/eventually.ts';
import { openTestApp, type TestApp } from '../../test/support/harness.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { DAY_MS } from '../shared/durations.ts';

async function makePair(days: number): Promise<{ key: string; cert: string; serial: string }> {
  const nowMs = Date.now();
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    notBeforeDate: new Date(nowMs - 100 * DAY_MS),
    notAfterDate: new Date(nowMs + days * DAY_MS + DAY_MS / 2),
  });
  const { serialNumber } = new X509Certificate(made.cert);
  return { key: made.private, cert: made.cert, serial: serialNumber };
}

type Files = { tlsCert: string; tlsKey: string };

function writePair({ tlsCert, tlsKey }: Files, pair: { key: string; cert: string }): void {
  for (const [file, text] of [
    [tlsKey, pair.key],
    [tlsCert, pair.cert],
  ] as const) {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

/** The serial number of the certificate that a new connection is shown. */
function servedSerial(app: TestApp): Promise<string> {
  const { port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()!.serialNumber);
      socket.destroy();
    });
  });
}

/** Reading the file's facts fails with ELOOP, as it fails with EACCES in a folder without permission. */
function linkToItself(file: string): void {
  rmSync(file);
  symlinkSync(file, file);
}

const linesWith = (app: TestApp, words: string) =>
  app.logs.filter((line) => line.includes(words)).map((line) => JSON.parse(line));

async function openWithFiles(days: number) {
  const folder = tempFolder();
  const files = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
  const pair = await makePair(days);
  writePair(files, pair);
  const config = { tls: 'files', ...files };
  return { app: await openTestApp({ config, certificateEveryMs: 20 }), files, pair };
}

describe('a certificate in files', () => {
  test('is replaced after a renewal, without a restart', async () => {
    const { app, files, pair } = await openWithFiles(90);
    assert.equal(await servedSerial(app), pair.serial);
    assert.equal(app.site.certificate?.daysLeft(), 90);
    const renewed = await makePair(180);
    writePair(files, renewed);
    await eventually(async () => assert.equal(await servedSerial(app), renewed.serial));
    await eventually(() => assert.equal(app.site.certificate?.daysLeft(), 180));
    assert.equal(linesWith(app, 'a renewed certificate is served')[0].serial, renewed.serial);
  });

  test('is followed through links, as tools that renew certificates set them', async () => {
    const folder = tempFolder();
    const at = (name: string) => ({
      tlsCert: join(folder, `${name}-cert.pem`),
      tlsKey: join(folder, `${name}-key.pem`),
    });
    const link = (name: string) => {
      for (const kind of ['cert', 'key']) {
        symlinkSync(join(folder, `${name}-${kind}.pem`), join(folder, 'next'));
        renameSync(join(folder, 'next'), join(folder, `live-${kind}.pem`));
      }
    };
    const [first, second] = [await makePair(90), await makePair(90)];
    writePair(at('first'), first);
    writePair(at('second'), second);
    link('first');
    const config = { tls: 'files', ...at('live') };
    const app = await openTestApp({ config, certificateEveryMs: 20 });
    assert.equal(await servedSerial(app), first.serial);
    link('second');
    await eventually(async () => assert.equal(await servedSerial(app), second.serial));
  });

  const broken: [what: string, breakIt: (files: Files, other: { key: string }) => void][] = [
    ['a key of another certificate', (files, other) => writeFileSync(files.tlsKey, other.key)],
    ['an empty file', (files) => writeFileSync(files.tlsCert, '')],
    ['a missing file', (files) => rmSync(files.tlsKey)],
    ['a link that cannot be followed', (files) => linkToItself(files.tlsKey)],
  ];
  for (const [what, breakIt] of broken) {
    test(`${what} leaves the old one in place, and the log says why; the next good one is served`, async () => {
      const { app, files, pair } = await openWithFiles(90);
      breakIt(files, await makePair(90));
      await eventually(() => assert.equal(linesWith(app, 'cannot be used').length, 1));
      assert.ok(linesWith(app, 'cannot be used')[0].reason.includes(folderOf(files)));
      assert.equal(await servedSerial(app), pair.serial);
      const renewed = await makePair(90);
      writePair(files, renewed);
      await eventually(async () => assert.equal(await servedSerial(app), renewed.serial));
    });
  }

  const expiring: [days: number, level: number, words: string][] = [
    [21, 40, 'the certificate expires soon'],
    [1, 40, 'the certificate expires soon'],
    [-1, 50, 'the certificate has expired'],
  ];
  for (const [days, level, words] of expiring) {
    test(`with ${days} days left is logged at the start and once a day`, async () => {
      const { app } = await openWithFiles(days);
      const told = () => linesWith(app, words);
      assert.deepEqual(
        told().map((line) => [line.level, line.days]),
        [[level, days]],
      );
      app.advance(DAY_MS);
      await eventually(() => assert.equal(linesWith(app, 'the certificate ').length, 2));
    });
  }

  test('is not mentioned while it is valid for longer', async () => {
    const { app } = await openWithFiles(22);
    assert.deepEqual(linesWith(app, 'the certificate '), []);
  });
});

test('the certificate that the service makes is renewed before it expires', async () => {
  const app = await openTestApp({ config: { tls: 'auto' }, certificateEveryMs: 20 });
  const first = await servedSerial(app);
  assert.ok(app.site.certificate!.daysLeft() >= 396);
  app.advance(366 * DAY_MS);
  assert.equal(await servedSerial(app), first, '31 days are left');
  app.advance(DAY_MS);
  await eventually(async () => assert.notEqual(await servedSerial(app), first));
  await eventually(() => assert.ok(app.site.certificate!.daysLeft() > 390));
});

test('behind a proxy that serves it there is no certificate to report', async () => {
  const app = await openTestApp();
  assert.equal(app.site.certificate, undefined);
});

const folderOf = ({ tlsCert }: Files) => tlsCert.slice(0, tlsCert.lastIndexOf('/'));
