import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Extensions, type Extension } from './extension.ts';
import type { Log } from './log.ts';

const errors: { fields: any; message: string }[] = [];
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, message) => void errors.push({ fields, message }),
  isLevelEnabled: () => true,
};
const load = (...all: Extension[]) => new Extensions(all, log);

const broken = () => {
  throw new Error('broken');
};

describe('amendOpenApi', () => {
  test('is absent if no extension defines it', () => {
    assert.equal(load({ name: 'quiet' }).amendOpenApi, undefined);
  });

  test('each gets what the one before returned', () => {
    const add = (key: string): Extension => ({
      name: key,
      amendOpenApi: (document) => ({ ...document, [key]: Object.keys(document).length }),
    });
    const amend = load(add('a'), { name: 'quiet' }, add('b')).amendOpenApi!;
    assert.deepEqual(amend({}), { a: 0, b: 1 });
  });

  test('works on a copy: nothing shared can be spoiled', () => {
    const document = { info: { title: 'ours' } };
    const amend = load({
      name: 'rude',
      amendOpenApi(copy: any) {
        copy.info.title = 'theirs';
        return copy;
      },
    }).amendOpenApi!;
    assert.deepEqual(amend(document), { info: { title: 'theirs' } });
    assert.deepEqual(document, { info: { title: 'ours' } });
  });

  test('one that fails is left out and logged by name', () => {
    errors.length = 0;
    const good: Extension = {
      name: 'good',
      amendOpenApi: (document) => ({ ...document, good: 1 }),
    };
    const amend = load({ name: 'bad', amendOpenApi: broken }, good).amendOpenApi!;
    assert.deepEqual(amend({ ours: 1 }), { ours: 1, good: 1 });
    assert.equal(errors[0]!.fields.extension, 'bad');
  });
});

describe('listeners', () => {
  test('are the extensions with onEvent, in order', () => {
    const listener: Extension = { name: 'y', onEvent: () => {} };
    const extensions = load({ name: 'x' }, listener, { name: 'z' });
    assert.deepEqual(extensions.listeners(), [listener]);
  });
});
