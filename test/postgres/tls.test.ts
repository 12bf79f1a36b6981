import assert from 'node:assert/strict';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { generate } from 'selfsigned';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { query } from '../../src/db/statements/query.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testServer } from './databases.ts';
import { NOBODY, startPrivateServer } from './server.ts';

if (testServer() !== undefined) {
  const folder = tempFolder();
  let stop = async () => {};
  after(() => stop());
  const server = await startWithTls(folder);
  stop = server.stop;
  describe('a server with TLS', () => overTls(server.url, folder));
}

async function makeCertificate(folder: string, name: string, host: string) {
  const altNames = [{ type: 2 as const, value: host }];
  const made = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    curve: 'P-256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  writeFileSync(certificate, made.cert);
  writeFileSync(key, made.private, { mode: 0o600 });
  return { certificate, key };
}

/** Its certificate is for the name localhost. */
async function startWithTls(folder: string) {
  const { certificate, key } = await makeCertificate(folder, 'server', 'localhost');
  await makeCertificate(folder, 'other', 'localhost');
  const settings = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key, fsync: 'off' };
  if (process.getuid?.() === 0) {
    for (const file of [folder, certificate, key]) chownSync(file, NOBODY, NOBODY);
  }
  return startPrivateServer({ settings });
}

const findTls = query<object, { ssl: number }>((db) =>
  db
    .selectFrom(sql<{ ssl: number; pid: number }>`pg_stat_ssl`.as('tls'))
    .select('ssl')
    .where('pid', '=', sql<number>`pg_backend_pid()`),
);

function overTls(plain: string, folder: string): void {
  const address = (host: string, search: string) => {
    const url = new URL(plain);
    url.hostname = host;
    return `${url.href}?${search}`;
  };
  const authority = (name: string) => `sslrootcert=${join(folder, `${name}.pem`)}`;
  const isEncrypted = async (url: string) => {
    const database = await openPostgres(url);
    try {
      return (await database.read.first(findTls, {}))!.ssl === 1;
    } finally {
      await database.close();
    }
  };

  test('verify-full with its authority is encrypted', async () => {
    const url = address('localhost', `sslmode=verify-full&${authority('server')}`);
    assert.equal(await isEncrypted(url), true);
  });

  for (const mode of ['prefer', 'require', 'verify-ca']) {
    test(`${mode} is verify-full, without a warning`, async () => {
      const url = address('localhost', `sslmode=${mode}&${authority('server')}`);
      const { databaseUrl } = resolveConfig({ databaseUrl: url }, {}).config;
      assert.equal(databaseUrl, url.replace(mode, 'verify-full'));
      assert.equal(await isEncrypted(databaseUrl), true);
    });
  }

  test('disable is not', async () => {
    assert.equal(await isEncrypted(address('127.0.0.1', 'sslmode=disable')), false);
  });

  for (const [name, host, search, words] of [
    ['that is self-signed', 'localhost', '', /not one that this machine trusts/],
    ['of another authority', 'localhost', `&${authority('other')}`, /not one that this machine/],
    ['for another name', '127.0.0.1', `&${authority('server')}`, /certificate is for another name/],
  ] as const) {
    test(`a certificate ${name} is refused in words`, async () => {
      const url = address(host, `sslmode=verify-full${search}`);
      await assert.rejects(openPostgres(url), words);
    });
  }
}
