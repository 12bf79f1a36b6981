import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeDatabase, testServer } from '../../../test/postgres/databases.ts';
import { install, run, runJson } from '../../../test/process/run.ts';
import { idOf, openTestApp, PASSWORD } from '../../../test/support/harness.ts';

const file = join(import.meta.dirname, '../tips.ts');
const DAY_MS = 24 * 60 * 60_000;

describe('the tips add-on', async () => {
  const app = await openTestApp({ config: { extensions: file } });
  const key = await app.key('admin', 'read,write,manage');
  const module = app.site.registry.modules.find(({ name }) => name === 'tips')!;
  const tips = '/svc/store/v1/tips';
  const stored = async () => (await app.call(tips, { key })).body as { note: string }[];

  test('adds an operation, which emits an event', async () => {
    const json = { user_id: idOf('maya'), note: 'Post on Fridays.' };
    const { status, body } = await app.call(tips, { method: 'POST', key, json });
    assert.equal(status, 201);
    assert.deepEqual(body, { id: body.id, ...json });
    const events = await app.call('/events?event=tip.created', { key });
    assert.deepEqual(events.body[0].data, { tip_id: body.id, user_id: json.user_id });
    const document = await app.call('/svc/store/v1/openapi');
    assert.ok(document.body.paths['/tips'].post);
  });

  test('refuses what its schema does not allow', async () => {
    const json = { user_id: idOf('maya'), note: '' };
    assert.equal((await app.call(tips, { method: 'POST', key, json })).status, 400);
    const unknown = { user_id: 4_000_000, note: 'It has no reader.' };
    const reply = await app.call(tips, { method: 'POST', key, json: unknown });
    assert.equal(reply.status, 404);
  });

  test('counts its rows for Prometheus', async () => {
    const [samples] = (await module.metrics![0]!.read(app.site)).values();
    assert.deepEqual(samples, [{ labels: {}, value: 1 }]);
  });

  test('adds tips to the export of a person, and erases them with the person', async () => {
    const create = { login: 'erin', email: 'erin@example.com', password: PASSWORD };
    const affiliates = '/svc/store/v1/affiliates';
    const { id } = (await app.call(affiliates, { method: 'POST', key, json: create })).body.user;
    const json = { user_id: id, note: 'Show the blue one.' };
    await app.call(tips, { method: 'POST', key, json });
    const exported = await app.call(`${affiliates}/${id}/person`, { key });
    assert.equal(exported.body.data.tips[0].note, json.note);
    const erased = await app.call(`${affiliates}/${id}/anonymise`, {
      method: 'POST',
      key,
      json: { login: 'erin' },
    });
    assert.equal(erased.status, 200, erased.text);
    assert.ok(!(await stored()).some(({ note }) => note === json.note));
  });

  test('deletes tips after as many days as its setting says', async () => {
    const [job] = module.jobs!;
    await app.set({ 'tips.keep_days': 2 });
    app.advance(DAY_MS);
    await job!.run(app.site);
    assert.equal((await stored()).length, 1);
    app.advance(2 * DAY_MS);
    await job!.run(app.site);
    assert.deepEqual(await stored(), []);
  });

  test('can be switched off', async () => {
    await app.set({ 'addons.disabled': ['tips'] });
    assert.equal((await app.call(tips, { key })).status, 404);
  });
});

describe('the command of the add-on', async () => {
  const { data } = await install();
  const env = { TRIBUTARY_EXTENSIONS: file };

  test('is among the commands, and works on the installation', async () => {
    assert.match((await run(['--help'], { env })).stdout, /tips +tips for affiliates/);
    assert.deepEqual(await runJson(['tips', 'list', '--data', data], { env }), []);
    const flag = await run(['tips', 'list', '--data', data, '--extensions', file]);
    assert.equal(flag.stdout, 'id  user  note\n--  ----  ----\n', flag.stderr);
  });

  test('is unknown without the extension', async () => {
    assert.match((await run(['tips', 'list', '--data', data])).stderr, /unknown command 'tips'/);
  });

  test('an extension that cannot be loaded is reported with the command, not with the help', async () => {
    const broken = { env: { TRIBUTARY_EXTENSIONS: join(data, 'missing.ts') } };
    assert.match((await run(['tips', 'list', '--data', data], broken)).stderr, /cannot be loaded/);
    assert.equal((await run(['--help'], broken)).code, 0);
  });

  test('a backup with its table can be restored', async () => {
    if (testServer() !== undefined) return;
    const backup = join(data, '..', 'backup.db');
    assert.equal((await run(['backup', backup, '--data', data], { env })).code, 0);
    const restored = join(data, '..', 'restored');
    const result = await run(['restore', backup, '--data', restored], { env });
    assert.equal(result.code, 0, result.stderr);
    assert.deepEqual(await runJson(['tips', 'list', '--data', restored], { env }), []);
  });

  test('migrate-db copies its table', async () => {
    const server = testServer();
    if (server === undefined) return;
    const made = await makeDatabase(server, { empty: true });
    const onFile = { env: { ...env, DATABASE_URL: '' } };
    const folder = join(data, '..', 'on-file');
    const admin = ['admin', 'create', '--login', 'ann', '--email', 'ann@test.example'];
    assert.equal((await run([...admin, '--data', folder], onFile)).code, 0);
    const move = ['migrate-db', '--to', made.url, '--data', folder];
    const { tables } = await runJson<{ tables: { table: string }[] }>(move, onFile);
    assert.ok(tables.some(({ table }) => table === 'tips'));
    await made.drop();
  });
});
