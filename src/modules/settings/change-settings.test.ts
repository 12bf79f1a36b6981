import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { eventually } from '../../../test/support/eventually.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { openSecondProcess } from '../../../test/support/second-process.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { defineSecretSetting, defineSetting } from '../../kernel/declare/setting.ts';
import { changeSettings } from './change-settings.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,manage');
const path = '/svc/store/v1/settings';
const patch = (json: unknown, key = admin) => app.call(path, { method: 'PATCH', key, json });
const settings = async () => (await app.call(path, { key: admin })).body;
const newestEvent = async () => (await app.call('/events?per_page=1', { key: admin })).body[0];

/** What decides about access, money that moves by itself, and what leaves the service. */
const ADMINISTRATORS_ONLY =
  /^rewards\.(bonuses_)?version$|^(api|accounts|addons|web|webhooks|postbacks|stores|activity_log)\.|^site\.(currency|timezone)$|^payouts\.(auto_accept|first_by_hand|details_hold_hours|reveal_mail|stripe_|paypal_|wise_|debtor_)|^mail\.(reply_to|per_minute)$/;

describe('PATCH /svc/store/v1/settings', () => {
  describe('200', () => {
    test('answers all settings with the new values, which last', async () => {
      const { status, body } = await patch({ 'site.name': 'Alpine', 'api.rate_per_minute': 5_000 });
      assert.equal(status, 200);
      assert.equal(body['site.name'], 'Alpine');
      assert.equal(body['api.rate_per_minute'], 5_000);
      assert.deepEqual(body, await settings());
    });

    test('takes effect immediately', async () => {
      await patch({ 'site.name': 'Effective' });
      assert.match((await app.call('~/')).text, /<title>[^<]+ · Effective<\/title>/);
    });

    test('as a form, with lists', async () => {
      const form = 'api.openapi_public=0&api.disabled_endpoints[]=get_events';
      const { status, body } = await app.call(path, { method: 'PATCH', key: admin, form });
      assert.equal(status, 200);
      assert.equal(body['api.openapi_public'], false);
      assert.deepEqual(body['api.disabled_endpoints'], ['get_events']);
      await patch({ 'api.openapi_public': true, 'api.disabled_endpoints': [] });
    });

    test('emits one settings.updated with all that changed', async () => {
      await patch({ 'site.name': 'Before' });
      const head = await feedHead(app.site);
      await patch({ 'site.name': 'After', 'site.store_url': 'https://after.example' });
      const event = await newestEvent();
      assert.equal(event.id, head + 1);
      assert.equal(event.event, 'settings.updated');
      assert.equal(event.user_id, idOf('admin'));
      assert.deepEqual(event.data, {
        changed: { 'site.name': 'After', 'site.store_url': 'https://after.example' },
      });
    });

    test('the event names only what changed', async () => {
      await patch({ 'site.name': 'Same' });
      await patch({ 'site.name': 'Same', 'site.store_url': 'https://new.example' });
      assert.deepEqual((await newestEvent()).data, {
        changed: { 'site.store_url': 'https://new.example' },
      });
    });

    test('the same values again, or none: no event', async () => {
      const now = await settings();
      const head = await feedHead(app.site);
      assert.deepEqual((await patch(now)).body, now);
      assert.deepEqual((await patch({})).body, now);
      assert.equal(await feedHead(app.site), head);
    });

    test('what another process changes is in force within a second', async () => {
      const other = await openSecondProcess(app);
      await invoke(other, changeSettings, {
        'site.name': 'From elsewhere',
        'api.disabled_endpoints': ['get_me'],
      });
      await eventually(async () => {
        assert.equal((await settings())['site.name'], 'From elsewhere');
        assert.equal(refusal(await app.call('/me', { key: admin })), '404 rest_no_route');
      });
      await invoke(other, changeSettings, { 'api.disabled_endpoints': [] });
      await eventually(async () => {
        assert.equal((await app.call('/me', { key: admin })).status, 200);
      });
    });
  });

  describe('400', () => {
    for (const [why, json] of [
      ['a number as text in JSON', { 'api.rate_per_minute': '5' }],
      ['a number below its least', { 'api.rate_per_minute': 0 }],
      ['a fraction for a whole number', { 'api.rate_per_minute': 1.5 }],
      ['a text for a switch', { 'api.openapi_public': 'yes' }],
      ['null', { 'site.name': null }],
      ['an empty name', { 'site.name': '' }],
      ['an address that is none', { 'site.store_url': 'javascript:alert(1)' }],
      ['an endpoint that does not exist', { 'api.disabled_endpoints': ['get_nothing'] }],
      ['an endpoint named twice', { 'api.disabled_endpoints': ['get_me', 'get_me'] }],
      ['an add-on that does not exist', { 'addons.disabled': ['nothing'] }],
      ['a core module as an add-on', { 'addons.disabled': ['keys'] }],
      ['an unknown setting', { 'site.nam': 'x' }],
    ] as const) {
      test(why, async () => {
        const reply = await patch(json);
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), Object.keys(json));
      });
    }

    test('an unknown setting comes with a suggestion', async () => {
      const reply = await patch({ 'site.nam': 'x' });
      assert.match(reply.body.data.params['site.nam'], /site\.name/);
    });

    test('one bad value, and nothing is changed', async () => {
      const before = await settings();
      const head = await feedHead(app.site);
      for (const bad of [
        { 'api.rate_per_minute': -1 },
        { 'api.disabled_endpoints': ['get_nothing'] },
        { 'no.such': 1 },
      ]) {
        assert.equal((await patch({ 'site.name': 'Not this', ...bad })).status, 400);
      }
      assert.deepEqual(await settings(), before);
      assert.equal(await feedHead(app.site), head);
    });

    test('a body that is no object', async () => {
      for (const json of ['[]', '"x"', '5', 'true']) {
        assert.equal(refusal(await patch(json)), '400 rest_invalid_param', json);
      }
    });
  });

  describe('403', () => {
    test('without the scope manage', async () => {
      const key = await app.key('admin', 'read,write');
      assert.equal(refusal(await patch({}, key)), '403 svc_api_insufficient_scope');
    });

    test('by a manager, of what only administrators may change: it is named, nothing is changed', async () => {
      const manager = await app.key('manager', 'manage');
      const before = await settings();
      const head = await feedHead(app.site);
      const guarded = [...app.site.registry.settings().keys()].filter((key) =>
        ADMINISTRATORS_ONLY.test(key),
      );
      assert.ok(guarded.length >= 19, guarded.join());
      for (const key of guarded) {
        const isFree =
          typeof before[key] === 'string' &&
          !/^site\.|debtor|^mail\.(reply_to|per_minute)$/.test(key);
        const value = isFree ? '7' : before[key];
        const reply = await patch({ 'commission.percent': 33, [key]: value }, manager);
        assert.equal(refusal(reply), '403 svc_api_forbidden', key);
        assert.deepEqual(Object.keys(reply.body.data.params), [key]);
        assert.ok(reply.body.message.includes(key));
      }
      assert.deepEqual(await settings(), before);
      assert.equal(await feedHead(app.site), head);
    });

    test('a bad value of theirs is 400 first, as everywhere', async () => {
      const manager = await app.key('manager', 'manage');
      const reply = await patch({ 'api.rate_per_minute': 0 }, manager);
      assert.equal(refusal(reply), '400 rest_invalid_param');
    });
  });

  describe('412 with If-Match', () => {
    const tagOf = async () => (await app.call(path, { key: admin })).headers.get('etag')!;
    const patchIf = (json: unknown, tag: string, key = admin) =>
      app.call(path, { method: 'PATCH', key, json, headers: { 'If-Match': tag } });

    test('of concurrent changes based on one version, one is stored; the others learn which and by whom', async () => {
      await patch({ 'site.name': 'Start', 'payouts.threshold': 5 });
      const manager = await app.key('manager', 'manage');
      const tag = await tagOf();
      const replies = await Promise.all(
        [10, 20, 30, 40].map((value, i) =>
          patchIf({ 'payouts.threshold': value }, tag, i % 2 === 0 ? admin : manager),
        ),
      );
      const stored = replies.find(({ status }) => status === 200);
      const refused = replies.filter((reply) => reply !== stored);
      assert.equal(refused.length, 3);
      assert.equal((await settings())['payouts.threshold'], stored!.body['payouts.threshold']);
      const winner = replies.indexOf(stored!) % 2 === 0 ? 'admin' : 'manager';
      for (const reply of refused) {
        assert.equal(refusal(reply), '412 svc_api_changed_meanwhile');
        const [change] = reply.body.data.changed;
        assert.equal(reply.body.data.changed.length, 1);
        assert.equal(change.setting, 'payouts.threshold');
        assert.equal(change.value, stored!.body['payouts.threshold']);
        assert.equal(change.by.id, idOf(winner));
        assert.match(reply.body.message, /payouts\.threshold \(by .+\)/);
      }
      // What the change answered is the version to go on with.
      const next = stored!.headers.get('etag')!;
      assert.equal(next, await tagOf());
      assert.equal((await patchIf({ 'site.name': 'Next' }, next)).status, 200);
    });

    test('a change of another setting counts too, and the command line has no name', async () => {
      const tag = await tagOf();
      await invoke(app.site, changeSettings, { 'site.name': 'By command' });
      const reply = await patchIf({ 'payouts.threshold': 77 }, tag);
      assert.deepEqual(
        reply.body.data.changed.map(({ setting, value, by }: any) => [setting, value, by]),
        [['site.name', 'By command', null]],
      );
      assert.notEqual((await settings())['payouts.threshold'], 77);
    });

    test('200: the same values again, any version with *, and a list with the current one', async () => {
      const tag = await tagOf();
      assert.equal((await patchIf({ 'site.name': 'Again' }, tag)).status, 200);
      assert.equal((await patchIf({ 'site.name': 'Again' }, tag)).status, 200);
      assert.equal((await patchIf({ 'site.name': 'Any' }, '*')).status, 200);
      assert.equal((await patchIf({ 'site.name': 'List' }, `"x", ${await tagOf()}`)).status, 200);
      assert.equal(
        refusal(await patchIf({ 'site.name': 'No' }, '"other"')),
        '412 svc_api_changed_meanwhile',
      );
    });

    test('a secret is masked in what was changed', async () => {
      const tag = await tagOf();
      await patch({ 'payouts.wise_token': 'secret-token' });
      const reply = await patchIf({ 'site.name': 'Late' }, tag);
      assert.deepEqual(reply.body.data.changed[0].value, '********');
      assert.doesNotMatch(reply.text, /secret-token/);
      await patch({ 'payouts.wise_token': '' });
    });
  });

  describe('a manager', () => {
    test('changes what belongs to the running of the program', async () => {
      const manager = await app.key('manager', 'manage');
      const before = await settings();
      const open = Object.entries(before).filter(([key]) => !ADMINISTRATORS_ONLY.test(key));
      assert.equal((await patch(Object.fromEntries(open), manager)).status, 200);
      const reply = await patch({ 'commission.percent': 12, 'payouts.threshold': 5 }, manager);
      assert.equal(reply.status, 200);
      assert.deepEqual(
        [reply.body['commission.percent'], reply.body['payouts.threshold']],
        [12, 5],
      );
    });

    test('finds in the schema what that is', async () => {
      const { body } = await app.call(`${path}/schema`, { key: admin });
      for (const [key, schema] of Object.entries<any>(body.properties)) {
        const roles = ADMINISTRATORS_ONLY.test(key)
          ? ['administrator']
          : ['administrator', 'manager'];
        assert.deepEqual(schema['x-changeable-by'], roles, key);
      }
    });

    test('may not change a setting that does not say so', () => {
      assert.equal(
        defineSetting('new.one', Type.Boolean(), false, '').managersMayChange,
        undefined,
      );
      assert.equal(defineSecretSetting('new.secret', '').managersMayChange, undefined);
    });
  });
});
