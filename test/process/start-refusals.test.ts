import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { generate } from 'selfsigned';
import { dataFolder, type DataFolder } from '../../src/installation/data-folder.ts';
import { tempFolder } from './launch.ts';
import { assertRefused, install, runEach, USAGE, type Result } from './run.ts';

interface Refusal {
  why: string;
  /** Damages an installation. */
  spoil: (folder: DataFolder) => void;
  words: RegExp;
  flags?: string[];
}

const pairs = await Promise.all(
  ['one.test', 'two.test'].map((value) =>
    generate([{ name: 'commonName', value }], { keyType: 'ec' }),
  ),
);
const PAGE_BYTES = 4096;

/** Both files of the certificate in the data folder. */
const certificate = (cert: string, key: string) => (folder: DataFolder) => {
  writeFileSync(folder.certificateFile, cert);
  writeFileSync(folder.certificateKeyFile, key, { mode: 0o600 });
};

const given = tempFolder();
function inFile(name: string, text: string): string {
  writeFileSync(join(given, name), text);
  return join(given, name);
}
const files = (cert: string, key: string) => [
  '--tls',
  'files',
  '--tls-cert',
  inFile(`${cert.length}-${key.length}.cert`, cert),
  '--tls-key',
  inFile(`${cert.length}-${key.length}.key`, key),
];
const [{ cert, private: key }, { private: otherKey }] = [pairs[0]!, pairs[1]!];
const nothing = () => {};

const certificates: Refusal[] = [
  {
    why: 'its certificate cannot be written',
    spoil({ certificateFile }) {
      rmSync(certificateFile, { force: true });
      mkdirSync(`${certificateFile}.new`);
    },
    words: /tls-cert\.pem cannot be written: .*start again/,
  },
  {
    why: 'a given certificate is empty',
    spoil: nothing,
    flags: files('', key),
    words: /\.cert is empty.*--tls-cert/,
  },
  {
    why: 'a given key is empty',
    spoil: nothing,
    flags: files(cert, ''),
    words: /\.key is empty.*--tls-key/,
  },
  {
    why: 'a given key is of another certificate',
    spoil: nothing,
    flags: files(cert, `\n${otherKey}`),
    words: /is not the private key of.*--tls-key/,
  },
];

const folders: Refusal[] = [
  {
    why: 'others may write to the data folder',
    spoil: ({ path }) => chmodSync(path, 0o777),
    words: /chmod go-w \S+$/m,
  },
  {
    why: 'a group may write to the data folder',
    spoil: ({ path }) => chmodSync(path, 0o770),
    words: /chmod go-w \S+$/m,
  },
  {
    why: 'others may read the secret',
    spoil: ({ secretFile }) => chmodSync(secretFile, 0o644),
    words: /secret\.key.*chmod 600 \S+$/m,
  },
  {
    why: 'a group may read the key of the certificate',
    spoil(folder) {
      certificate(cert, key)(folder);
      chmodSync(folder.certificateKeyFile, 0o640);
    },
    words: /tls-key\.pem.*chmod 600 \S+$/m,
  },
];

/** Overwrites a part of a file with random bytes. */
function overwrite(file: string, from: number, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(descriptor);
}

const databases: Refusal[] = [
  {
    why: 'others may write to the database',
    spoil: ({ databaseFile }) => chmodSync(databaseFile, 0o666),
    words: /tributary\.db.*chmod 600 \S+$/m,
  },
  {
    why: 'the database begins with something else, as an encrypted one does',
    spoil: ({ databaseFile }) => overwrite(databaseFile, 0, 100),
    words: /tributary\.db is not a database: .*encrypted.*backup.*--data/,
  },
  {
    why: 'pages of the database are damaged',
    spoil: ({ databaseFile }) => overwrite(databaseFile, 20 * PAGE_BYTES, 10 * PAGE_BYTES),
    words: /tributary\.db is damaged.*backup.*\.recover/,
  },
  {
    why: 'the database is cut off',
    spoil: ({ databaseFile }) => truncateSync(databaseFile, 20 * PAGE_BYTES),
    words: /tributary\.db is damaged.*backup.*\.recover/,
  },
  {
    why: 'the database is of another program',
    spoil({ databaseFile }) {
      rmSync(databaseFile);
      const db = new DatabaseSync(databaseFile);
      db.exec('create table notes (text text)');
      db.close();
      chmodSync(databaseFile, 0o600);
    },
    words: /tributary\.db is the database of another program.*--data/,
  },
  {
    why: 'the database is a folder',
    spoil({ databaseFile }) {
      rmSync(databaseFile);
      mkdirSync(databaseFile);
    },
    words: /tributary\.db cannot be used: .*It must be a file/,
  },
  {
    why: 'the lock of the server is damaged',
    spoil: ({ lockFile }) => writeFileSync(lockFile, 'x'.repeat(PAGE_BYTES)),
    words: /server\.lock cannot be used.*Remove the file/,
  },
];

describe('a start is refused in one sentence with a way out', () => {
  const cases = [...certificates, ...folders, ...databases];
  let results: Result[];
  let installed: DataFolder[];
  before(async () => {
    const { data } = await install();
    installed = cases.map(({ spoil }) => {
      const copy = join(tempFolder(), 'data');
      cpSync(data, copy, { recursive: true });
      const folder = dataFolder(copy);
      spoil(folder);
      return folder;
    });
    results = await runEach(
      cases.map(({ flags = [] }, i) => ({
        args: [
          'start',
          '--host',
          '127.0.0.1',
          '--port',
          '0',
          '--data',
          installed[i]!.path,
          ...flags,
        ],
      })),
    );
  });

  for (const [i, { why, words }] of cases.entries()) {
    test(why, () => {
      assertRefused(results[i]!, USAGE, words);
      assert.equal(results[i]!.stderr.trim().split('\n').length, 1, results[i]!.stderr);
    });
  }

  test('the command it prints repairs the modes', async () => {
    for (const [i, { stderr }] of results.entries()) {
      const command = /chmod .*$/m.exec(stderr)?.[0];
      if (command === undefined) continue;
      execFileSync('/bin/sh', ['-c', command]);
      const args = ['keys', 'list', '--data', installed[i]!.path];
      const [mended] = await runEach([{ args }]);
      assert.equal(mended!.code, 0, mended!.stderr);
    }
  });

  if (existsSync('/sys/kernel')) {
    test('the data folder can only be read', async () => {
      const [result] = await runEach([{ args: ['start', '--data', '/sys/kernel'] }]);
      assertRefused(result!, USAGE, /\/sys\/kernel.* cannot be .*: this user may not\..*--data/);
    });
  }
});
