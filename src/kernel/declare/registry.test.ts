import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { freeEdition } from '../../edition-free.ts';
import { loadEdition } from '../../edition-pro.ts';
import { defineError } from './errors.ts';
import { defineEvent } from './event.ts';
import { defineModule } from './module.ts';
import { operation } from './operation.ts';
import { Registry } from './registry.ts';
import { defineSetting, SettingValues } from './setting.ts';
import { disabledAddons, disabledEndpoints } from './switches.ts';

const proEdition = await loadEdition('pro');

const greeting = defineSetting('greetings.word', Type.String(), 'Hello', 'What to say.');
const getGreeting = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/greetings/{name}',
  summary: 'A greeting',
  access: 'user',
  scope: 'read',
  params: Type.Object({ name: Type.String() }),
  response: Type.Object({ text: Type.String() }),
  handle: ({ site }, { name }) => ({ text: `${site.settings.get(greeting)}, ${name}!` }),
});
const postGreeting = operation({
  method: 'POST',
  namespace: 'store',
  path: '/greetings',
  summary: 'Greets everyone',
  access: 'public',
  scope: null,
  response: Type.Object({}),
  handle: () => ({}),
});
let greeted = 0;
let tidied = 0;
let beats = 0;
const tooRude = defineError('svc_api_too_rude', 400, 'Say it nicely.');
const sent = defineEvent('greeting.sent', 'A user was greeted.', Type.Object({}), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: {},
});

/** A complete add-on: a manifest with operations, a setting, an event, an error and a job. */
const greetings = defineModule({
  name: 'greetings',
  summary: 'Says hello',
  addon: true,
  operations: [getGreeting, postGreeting],
  settings: [greeting],
  events: [sent],
  errors: [tooRude],
  jobs: [
    {
      name: 'greetings.greet',
      everyMs: 20,
      runsOn: 'each',
      run: async () => void (greeted += 1),
    },
    {
      name: 'greetings.tidy',
      everyMs: 20,
      runsOn: 'each',
      alsoWhileOff: true,
      run: async () => void (tidied += 1),
    },
  ],
});

/** A core module, which cannot be switched off. */
const heart = defineModule({
  name: 'heart',
  summary: 'Beats',
  addon: false,
  jobs: [{ name: 'heart.beat', everyMs: 20, runsOn: 'each', run: async () => void (beats += 1) }],
});

describe('an add-on', async () => {
  const app = await openTestApp({ modules: [...freeEdition, greetings, heart], jobs: 'own' });
  const key = await app.key('admin', 'read,write,manage');
  const greet = () => app.call('/greetings/Ada', { key });
  const settings = async () => (await app.call('/svc/store/v1/settings', { key })).body;
  const pathsOf = async (base: string) =>
    Object.keys((await app.call(`${base}/openapi`)).body.paths);
  const switchAddon = (off: string[]) => app.set({ 'addons.disabled': off });

  test('switched on: its route, settings, event, errors and document are there', async () => {
    assert.equal((await greet()).body.text, 'Hello, Ada!');
    assert.equal((await settings())['greetings.word'], 'Hello');
    assert.ok((await pathsOf('/svc/v2')).includes('/greetings/{name}'));
    assert.ok((await pathsOf('/svc/store/v1')).includes('/greetings'));
    assert.ok(app.site.registry.events().includes(sent));
    assert.ok(app.site.registry.errors().includes(tooRude));
    await eventually(() => assert.ok(greeted > 0));
  });

  test('switched off: all of it is gone, without a restart', async () => {
    await switchAddon(['greetings']);
    assert.equal(refusal(await greet()), '404 rest_no_route');
    const post = await app.call('/svc/store/v1/greetings', { method: 'POST' });
    assert.equal(refusal(post), '404 rest_no_route');
    assert.ok(!('greetings.word' in (await settings())));
    assert.ok(!(await pathsOf('/svc/v2')).includes('/greetings/{name}'));
    assert.ok(!(await pathsOf('/svc/store/v1')).includes('/greetings'));
    assert.ok(!app.site.registry.events().includes(sent));
    assert.ok(!app.site.registry.errors().includes(tooRude));
  });

  test('switched off: its settings cannot be changed', async () => {
    const json = { 'greetings.word': 'Hi' };
    const reply = await app.call('/svc/store/v1/settings', { method: 'PATCH', key, json });
    assert.equal(refusal(reply), '400 rest_invalid_param');
  });

  test('switched off: its jobs rest, except one that removes data in time', async () => {
    const before = greeted;
    // Wait until jobs of the same interval have run several times.
    const beatsBefore = beats;
    const tidiedBefore = tidied;
    await eventually(() => assert.ok(beats > beatsBefore + 5 && tidied > tidiedBefore + 5));
    assert.equal(greeted, before);
  });

  test('and back again, with the settings it had', async () => {
    await switchAddon([]);
    await app.set({ 'greetings.word': 'Ahoy' });
    await switchAddon(['greetings']);
    await switchAddon([]);
    assert.equal((await greet()).body.text, 'Ahoy, Ada!');
    assert.ok(app.site.registry.events().includes(sent));
  });

  test('one endpoint of it can be switched off alone, in either namespace', async () => {
    await app.set({ 'api.disabled_endpoints': ['get_greetings_name'] });
    assert.equal(refusal(await greet()), '404 rest_no_route');
    assert.equal((await app.call('/svc/store/v1/greetings', { method: 'POST' })).status, 200);
    await app.set({ 'api.disabled_endpoints': ['store:post_greetings'] });
    assert.equal((await greet()).status, 200);
    const post = await app.call('/svc/store/v1/greetings', { method: 'POST' });
    assert.equal(refusal(post), '404 rest_no_route');
    await app.set({ 'api.disabled_endpoints': [] });
  });
});

describe('the free edition', async () => {
  const app = await openTestApp({ config: { edition: 'free' } });

  test('has no add-on of the other: routes are unknown, names cannot be switched', async () => {
    const key = await app.key('admin', 'read,manage');
    assert.equal(refusal(await app.call('/greetings/Ada', { key })), '404 rest_no_route');
    for (const json of [
      { 'addons.disabled': ['greetings'] },
      { 'api.disabled_endpoints': ['get_greetings_name'] },
    ]) {
      const reply = await app.call('/svc/store/v1/settings', { method: 'PATCH', key, json });
      assert.equal(refusal(reply), '400 rest_invalid_param');
    }
  });

  test('is a part of the other', () => {
    for (const module of freeEdition) assert.ok(proEdition.includes(module), module.name);
    const paid = proEdition.filter((module) => !freeEdition.includes(module));
    for (const module of paid) {
      assert.ok(module.addon, module.name);
      assert.ok(!app.site.registry.modules.includes(module), module.name);
    }
  });

  test('has no payout and no webhook route', () => {
    for (const { path } of app.site.registry.allOperations()) {
      assert.doesNotMatch(path, /payout|webhook/);
    }
  });
});

describe('Registry', () => {
  const registryOf = (...modules: Parameters<typeof defineModule>[0][]) => {
    const settings = new SettingValues();
    return { settings, registry: new Registry(modules, settings) };
  };

  test('everything is derived from the list of modules', () => {
    const { registry } = registryOf(greetings);
    assert.deepEqual(registry.activeOperations(), [getGreeting, postGreeting]);
    assert.deepEqual(registry.activeOperations('v2'), [getGreeting]);
    assert.equal(registry.moduleOf(getGreeting), greetings);
    assert.ok(registry.isActive(getGreeting));
  });

  test('its revision rises with every change', () => {
    const { registry, settings } = registryOf(greetings);
    const before = registry.revision;
    settings.apply([[disabledEndpoints.key, ['get_greetings_name']]], { whole: false });
    assert.ok(registry.revision > before);
    assert.ok(!registry.isActive(getGreeting));
    assert.deepEqual(registry.allOperations(), [getGreeting, postGreeting], 'switched off or not');
  });

  test('a core module cannot be switched off', () => {
    const { registry, settings } = registryOf({ ...greetings, addon: false });
    settings.apply([[disabledAddons.key, ['greetings']]], { whole: false });
    assert.ok(registry.isActive(getGreeting));
  });

  for (const [what, part] of [
    ['operation', { operations: [getGreeting] }],
    ['setting', { settings: [greeting] }],
    ['event', { events: [sent] }],
    ['error', { errors: [tooRude] }],
    ['migration', { migrations: [{ name: 'x', up: () => [] }] }],
  ] as const) {
    test(`the same ${what} in two modules is refused at the start`, () => {
      const one = { name: 'one', summary: '', addon: false, ...part };
      assert.throws(() => registryOf(one, { ...one, name: 'two' }), /Declared twice/);
    });
  }

  test('the same module twice is refused at the start', () => {
    assert.throws(() => registryOf(greetings, greetings), /Declared twice: module greetings/);
  });
});
