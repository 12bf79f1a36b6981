import './browser-globals.ts';
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import words from '../../texts/en/console-settings.json' with { type: 'json' };
import * as drafts from '../../web/console/settings/draft.ts';
import {
  isSame,
  loadForm,
  loadSettings,
  wordsOf,
} from '../../web/console/settings/setting-schema.ts';
import { useWords } from '../../web/words.ts';

const base = { values: { 'site.name': 'Shop', percent: 10, tags: ['a'] }, tag: 'v1' };
const { draft } = drafts;

describe('a draft of settings', () => {
  beforeEach(() => drafts.discard());

  test('holds what differs from the stored value, and nothing else', () => {
    drafts.setChange(base, 'percent', 12);
    drafts.setChange(base, 'tags', ['a']);
    assert.deepEqual(draft.value, { base, changes: { percent: 12 } });
    drafts.setChange(base, 'percent', 10);
    assert.equal(draft.value, undefined);
  });

  test('keeps the version of its first change', () => {
    drafts.setChange(base, 'percent', 12);
    drafts.setChange({ ...base, tag: 'v2' }, 'site.name', 'New');
    assert.equal(draft.value?.base.tag, 'v1');
  });

  test('loses its fault with the next value', () => {
    drafts.setError('percent', 'no number');
    assert.deepEqual(drafts.errors.value, { percent: 'no number' });
    drafts.setChange(base, 'percent', 11);
    assert.deepEqual(drafts.errors.value, {});
  });

  test('goes on from what others stored; what they stored alike is no change', () => {
    drafts.setChange(base, 'percent', 12);
    drafts.setChange(base, 'site.name', 'New');
    drafts.rebase({ values: { ...base.values, percent: 12 }, tag: 'v2' });
    assert.deepEqual(draft.value?.changes, { 'site.name': 'New' });
    assert.equal(draft.value.base.tag, 'v2');
  });

  test('adopts an own change outside of it, but not those of others', () => {
    drafts.setChange(base, 'percent', 12);
    drafts.adopt({ values: { ...base.values, 'site.name': 'Own' }, tag: 'v2' }, 'site.name');
    assert.equal(draft.value?.base.tag, 'v2');
    drafts.adopt({ values: { ...base.values, tags: ['theirs'] }, tag: 'v3' }, 'site.name');
    assert.equal(draft.value.base.tag, 'v2');
  });

  test('drops one change, and the fields show the stored value again', () => {
    drafts.setChange(base, 'percent', 12);
    const before = drafts.resets.value;
    drafts.dropChange('percent');
    assert.equal(draft.value, undefined);
    assert.equal(drafts.resets.value, before + 1);
  });
});

describe('the form of the settings', () => {
  const property = {
    description: '',
    default: '',
    'x-group': 'store',
    'x-changeable-by': ['manager'],
  };
  const schema = {
    'x-fixed': ['percent'],
    'x-choices': { tags: ['a', 'b'] },
    'x-groups': [
      { name: 'store', title: 'Store' },
      { name: 'unused', title: 'Unused' },
    ],
    properties: {
      percent: { ...property, type: 'number', title: 'Percent', minimum: 0 },
      tags: { ...property, type: 'array', items: { type: 'string' } },
      'site.name': { ...property, maxLength: 100 },
      secret: { ...property, 'x-changeable-by': ['administrator'] },
      hidden: { ...property, 'x-hidden': true },
    },
  };

  test('has what the role may change, the store first, and the groups in use', async () => {
    globalThis.fetch = () => Promise.resolve(Response.json(schema));
    const { settings, groups } = await loadForm('manager');
    assert.deepEqual(
      settings.map(({ key }) => key),
      ['site.name', 'percent', 'tags'],
    );
    assert.deepEqual(groups, [{ name: 'store', title: 'Store' }]);
    const [name, percent, tags] = settings;
    assert.deepEqual([name?.title, name?.type, name?.maxLength], ['site.name', 'string', 100]);
    assert.deepEqual([percent?.isFixed, percent?.minimum], [true, 0]);
    assert.deepEqual([tags?.itemType, tags?.itemChoices], ['string', ['a', 'b']]);
  });

  test('English names and hints say what the site calls its affiliates', async () => {
    useWords(
      'en',
      { program: { 'partner.one': 'partner', 'partner.other': 'partners' } },
      { affiliateWord: 'partner' },
    );
    const percent = {
      ...schema.properties.percent,
      title: 'Affiliates pay',
      description: 'Each affiliate, not `affiliate_word`, which is "{text}".',
    };
    globalThis.fetch = () => Promise.resolve(Response.json({ ...schema, properties: { percent } }));
    const { settings } = await loadForm('manager');
    assert.deepEqual(
      settings.map(({ title, help }) => [title, help]),
      [['Partners pay', 'Each partner, not `affiliate_word`, which is "{text}".']],
    );
  });

  test('the values come with the tag of their version', async () => {
    const headers = { etag: '"v7"' };
    globalThis.fetch = () => Promise.resolve(Response.json(base.values, { headers }));
    assert.deepEqual(await loadSettings(), { values: base.values, tag: '"v7"' });
  });
});

test('values are compared by their content, and shown in words', () => {
  useWords('en', { 'console-settings': words }, { affiliateWord: 'affiliate' });
  assert.ok(isSame(['a', { b: 1 }], ['a', { b: 1 }]));
  assert.ok(!isSame(1, '1'));
  assert.deepEqual([true, false, [], ['a', 2], '', 1.5, { a: 1 }].map(wordsOf), [
    words.on,
    words.off,
    words.empty,
    'a, 2',
    words.empty,
    '1.5',
    'a: 1',
  ]);
});
