import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addonFacts } from '../../../test/support/addon-facts.ts';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'manage');
const get = (key = admin, path = '/svc/store/v1/settings') => app.call(path, { key });

describe('GET /svc/store/v1/settings', () => {
  describe('200', () => {
    test('a flat object of every setting; unchanged settings have their defaults', async () => {
      const { status, body } = await get();
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), [...app.site.registry.settings().keys()].sort());
      const expected = {
        'site.name': 'My store',
        'site.store_url': 'https://store.example',
        'api.disabled_endpoints': [],
        'api.openapi_public': true,
        'addons.disabled': [],
        'activity_log.enabled': true,
      };
      assert.deepEqual({ ...body, ...expected }, body);
    });

    test('the limits are 120 and 30 a minute by default', () => {
      const settings = app.site.registry.settings();
      assert.equal(settings.get('api.rate_per_minute')!.default, 120);
      assert.equal(settings.get('api.anonymous_rate_per_minute')!.default, 30);
    });

    test('a changed value is shown immediately', async () => {
      await app.set({ 'site.name': 'Käse & Co' });
      assert.equal((await get()).body['site.name'], 'Käse & Co');
    });

    test('304 while nothing has changed', async () => {
      const tag = (await get()).headers.get('etag')!;
      const again = (known: string) =>
        app.call('/svc/store/v1/settings', { key: admin, headers: { 'If-None-Match': known } });
      assert.equal((await again(tag)).status, 304);
      await app.set({ 'site.name': 'Changed' });
      assert.equal((await again(tag)).status, 200);
    });

    test('a manager may read them', async () => {
      assert.equal((await get(await app.key('manager', 'manage'))).status, 200);
    });
  });

  describe('403', () => {
    test('without the scope manage', async () => {
      const key = await app.key('admin', 'read,write');
      assert.equal(refusal(await get(key)), '403 svc_api_insufficient_scope');
    });

    test('an affiliate', async () => {
      const key = await app.key('maya', 'manage');
      assert.equal(refusal(await get(key)), '403 svc_api_forbidden');
    });
  });
});

describe('GET /svc/store/v1/settings/schema', () => {
  test('200: type, default and help text of every setting', async () => {
    const { status, body } = await get(admin, '/svc/store/v1/settings/schema');
    assert.equal(status, 200);
    assert.equal(body.type, 'object');
    const settings = [...app.site.registry.settings().values()];
    assert.deepEqual(Object.keys(body.properties).sort(), settings.map((s) => s.key).sort());
    for (const setting of settings) {
      const property = body.properties[setting.key];
      assert.ok(property.type, setting.key);
      assert.deepEqual(property.default, setting.default);
      assert.equal(property.description, setting.help);
      assert.ok(property.title, `${setting.key} has no title: put it into a group with inGroup`);
    }
    const hidden = settings.filter(({ key }) => body.properties[key]['x-hidden']);
    assert.deepEqual(
      hidden.map(({ key }) => key),
      [
        'rewards.version',
        'rewards.bonuses_version',
        'console.confirmed_steps',
        ...addonFacts.flatMap(({ hiddenSettings = [] }) => hiddenSettings),
      ],
    );
    const groups = body['x-groups'].map(({ name }: { name: string }) => name);
    assert.deepEqual(groups.slice(0, 2), ['store', 'brand']);
    const used = new Set(settings.map(({ key }) => body.properties[key]['x-group']));
    assert.deepEqual([...used].sort(), groups.toSorted());
    assert.ok(!groups.includes('other'));
  });
});
