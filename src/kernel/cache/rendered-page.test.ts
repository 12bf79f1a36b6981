import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { HttpResponse } from '../declare/http-response.ts';
import { rendered } from './rendered-page.ts';

const app = await openTestApp();

describe('rendered', () => {
  test('renders once for each revision of the settings, and once for each name', async () => {
    let renders = 0;
    const show = (name: string) =>
      String(rendered(app.site, name, () => new HttpResponse(`page ${(renders += 1)}`)).body);
    assert.deepEqual(
      [show('a'), show('a'), show('b'), show('b')],
      ['page 1', 'page 1', 'page 2', 'page 2'],
    );
    await app.set({ 'site.name': 'Another' });
    assert.deepEqual([show('a'), show('a'), show('b')], ['page 3', 'page 3', 'page 4']);
  });

  test('reloading unchanged settings does not change the revision', async () => {
    const { revision } = app.site.registry;
    app.site.settings.apply([['site.name', 'Another']], { whole: false });
    assert.equal(app.site.registry.revision, revision);
    app.site.settings.apply([['site.name', 'A third']], { whole: false });
    assert.equal(app.site.registry.revision, revision + 1);
  });
});
