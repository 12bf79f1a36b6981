import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { Log } from '../kernel/declare/log.ts';
import { loadCertificate, type Pair } from './certificate.ts';
import { resolveConfig } from './config.ts';
import { dataFolder, type DataFolder } from './data-folder.ts';

const { config } = resolveConfig({}, {});
const folder = dataFolder(tempFolder());
const stored = (): Pair => ({
  key: readFileSync(folder.certificateKeyFile, 'utf8'),
  cert: readFileSync(folder.certificateFile, 'utf8'),
});

async function load(): Promise<{ pair: Pair; reasons: string[] }> {
  const reasons: string[] = [];
  const warn = ({ reason }: { reason: string }) => void reasons.push(reason);
  // Loading a certificate only warns.
  const log = { warn } as unknown as Log;
  return { pair: (await loadCertificate(config, folder, Date.now(), { log }))!, reasons };
}

describe('a self-signed certificate', () => {
  test('is kept while it can be served', async () => {
    const first = await load();
    const second = await load();
    assert.deepEqual(second, { pair: first.pair, reasons: [] });
  });

  const damages: [what: string, file: keyof DataFolder, damage: (text: string) => string][] = [
    ['an empty certificate', 'certificateFile', () => ''],
    ['a certificate that is cut off', 'certificateFile', (text) => text.slice(0, 200)],
    ['an empty key', 'certificateKeyFile', () => ''],
    ['a key that is cut off', 'certificateKeyFile', (text) => text.slice(0, 80)],
  ];
  for (const [what, file, damage] of damages) {
    test(`with ${what} is made again, and the log says why`, async () => {
      const { pair: before } = await load();
      writeFileSync(folder[file], damage(readFileSync(folder[file], 'utf8')));
      const { pair, reasons } = await load();
      assert.equal(reasons.length, 1);
      assert.ok(reasons[0]!.startsWith(folder[file]), reasons.join());
      assert.notEqual(pair.cert, before.cert);
      assert.deepEqual(stored(), pair);
      createSecureContext(pair);
    });
  }

  test('with the key of another one is made again', async () => {
    const { pair: other } = await load();
    writeFileSync(folder.certificateKeyFile, '');
    const { pair: before } = await load();
    writeFileSync(folder.certificateKeyFile, other.key);
    const { pair, reasons } = await load();
    assert.match(reasons.join(), /is not the private key of the certificate/);
    assert.notEqual(pair.cert, before.cert);
  });
});
