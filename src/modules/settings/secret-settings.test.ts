import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../../test/support/eventually.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { openTestApp, refusal, type TestApp } from '../../../test/support/harness.ts';
import { openApp } from '../../app.ts';
import { query } from '../../db/statements/query.ts';
import { freeEdition } from '../../edition-free.ts';
import { resolveConfig } from '../../installation/config.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { defineSecretSetting } from '../../kernel/declare/setting.ts';
import { changeSettings } from './change-settings.ts';

const safeCode = defineSecretSetting('vault.code', 'Opens the vault.');
const otherCode = defineSecretSetting('vault.other_code', 'Opens the other vault.');
// One that the configuration can give.
const stripeKey = defineSecretSetting('payouts.stripe_key', 'Pays.');
const vault = defineModule({
  name: 'vault',
  summary: 'Has secrets',
  addon: true,
  settings: [safeCode, otherCode, stripeKey],
});
const modules = [...freeEdition, vault];
const MASK = '********';
const path = '/svc/store/v1/settings';

const app = await openTestApp({ modules });
const admin = await app.key('admin', 'read,manage');
const patch = (json: unknown) => app.call(path, { method: 'PATCH', key: admin, json });
const shown = async (key = 'vault.code') => (await app.call(path, { key: admin })).body[key];
const newestEvent = async () => (await app.call('/events?per_page=1', { key: admin })).body[0];

const rows = query<object, { key: string; value: string }>((db) =>
  db.selectFrom('settings').select(['key', 'value']),
);
const stored = async (key: string) =>
  (await app.site.database.read.all(rows, {})).find((row) => row.key === key)!.value;

/** The same installation, opened as another process would. */
async function openAgain(of: TestApp, log: string[] = []) {
  const { databaseUrl } = of;
  const { config } = resolveConfig({ data: of.app.folder.path, databaseUrl, tls: 'off' }, {});
  const opening = openApp({
    config,
    modules,
    log: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
  });
  after(async () => (await opening).close());
  return (await opening).site;
}

describe('a secret setting', { concurrency: 1 }, () => {
  test('is empty at first, and a password in the schema', async () => {
    assert.equal(await shown(), '');
    assert.equal(app.site.settings.get(safeCode), '');
    const schema = (await app.call(`${path}/schema`, { key: admin })).body;
    assert.partialDeepStrictEqual(schema.properties['vault.code'], {
      type: 'string',
      format: 'password',
      default: '',
    });
  });

  test('once set it is masked for people and plain for the program', async () => {
    const reply = await patch({ 'vault.code': 'open-sesame' });
    assert.equal(reply.status, 200);
    assert.equal(reply.body['vault.code'], MASK);
    assert.equal(await shown(), MASK);
    assert.equal(app.site.settings.get(safeCode), 'open-sesame');
    assert.deepEqual((await newestEvent()).data, { changed: { 'vault.code': MASK } });
  });

  test('what was read, sent back, leaves it as it is', async () => {
    const head = await feedHead(app.site);
    const all = (await app.call(path, { key: admin })).body;
    assert.deepEqual((await patch(all)).body, all);
    assert.equal((await patch({ 'vault.code': 'open-sesame' })).status, 200);
    assert.equal(await feedHead(app.site), head);
    assert.equal(app.site.settings.get(safeCode), 'open-sesame');
  });

  test('the mask for one that is not set leaves it unset', async () => {
    assert.equal((await patch({ 'vault.other_code': MASK })).body['vault.other_code'], '');
  });

  test('another value replaces it, with an event that tells nothing of it', async () => {
    await patch({ 'vault.code': 'open-barley' });
    assert.equal(app.site.settings.get(safeCode), 'open-barley');
    assert.deepEqual((await newestEvent()).data, { changed: { 'vault.code': MASK } });
  });

  test('is stored encrypted, and readable by another process', async () => {
    const row = await stored('vault.code');
    assert.ok(!row.includes('barley') && row.length > 50);
    assert.equal((await openAgain(app)).settings.get(safeCode), 'open-barley');
  });

  test('what another process sets is in force here', async () => {
    await invoke(await openAgain(app), changeSettings, { 'vault.code': 'open-millet' });
    await eventually(() => assert.equal(app.site.settings.get(safeCode), 'open-millet'));
  });

  test('an empty text clears it', async () => {
    assert.equal((await patch({ 'vault.code': '' })).body['vault.code'], '');
    assert.equal(await shown(), '');
    assert.deepEqual((await newestEvent()).data, { changed: { 'vault.code': '' } });
  });

  for (const [why, value] of [
    ['spaces', 'open sesame canary'],
    ['a line break', 'canary\nx: y'],
    ['something longer than any credential', 'canary'.repeat(100)],
    ['a number', 5],
  ] as const) {
    test(`400: ${why}, without repeating it`, async () => {
      const reply = await patch({ 'vault.code': value });
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.doesNotMatch(reply.text, /canary/);
    });
  }

  test('a row put in the place of another cannot be read, and the log says so', async () => {
    await patch({ 'vault.code': 'mine', 'vault.other_code': 'theirs' });
    const swap = `update settings set value = (select value from settings where key = 'vault.code')
      where key = 'vault.other_code'`;
    await app.site.database.transaction((tx) => tx.execute(swap));
    const log: string[] = [];
    const site = await openAgain(app, log);
    assert.equal(site.settings.get(otherCode), '');
    assert.equal(site.settings.get(safeCode), 'mine');
    assert.match(log.join(''), /vault\.other_code.*cannot be read/);
  });
});

describe('a secret setting that the configuration gives', { concurrency: 1 }, async () => {
  const fixed = await openTestApp({ modules, config: { stripeKey: 'sk_configured' } });
  const key = await fixed.key('admin', 'manage');
  const change = (json: unknown) => fixed.call(path, { method: 'PATCH', key, json });

  test('is in force, masked', async () => {
    assert.equal(fixed.site.settings.get(stripeKey), 'sk_configured');
    assert.equal((await fixed.call(path, { key })).body['payouts.stripe_key'], MASK);
  });

  test('cannot be changed, nor cleared', async () => {
    for (const value of ['sk_other', '']) {
      const reply = await change({ 'payouts.stripe_key': value });
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.match(reply.body.data.params['payouts.stripe_key'], /configuration/);
    }
    assert.equal((await change({ 'payouts.stripe_key': MASK })).status, 200);
  });

  test('wins over what is stored', async () => {
    const beside = await openAgain(fixed);
    await invoke(beside, changeSettings, { 'payouts.stripe_key': 'sk_stored', 'vault.code': 'x' });
    assert.equal(beside.settings.get(stripeKey), 'sk_stored');
    await eventually(() => assert.equal(fixed.site.settings.get(safeCode), 'x'));
    assert.equal(fixed.site.settings.get(stripeKey), 'sk_configured');
  });
});

test('under another master secret a stored one is lost, and the service starts', async () => {
  const moved = await openTestApp({ modules });
  await moved.set({ 'vault.code': 'left-behind', 'site.name': 'Moved' });
  writeFileSync(moved.app.folder.secretFile, randomBytes(48).toString('base64'));
  // PostgreSQL refuses another secret until the operator deletes the record of the first one.
  await moved.site.database.transaction((tx) => tx.execute('delete from installation'));
  const site = await openAgain(moved);
  assert.equal(site.settings.get(safeCode), '');
  await invoke(site, changeSettings, { 'vault.code': 'new' });
  assert.equal(site.settings.get(safeCode), 'new');
});
