import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { hoist } from './schemas.ts';

test('a property that is named like a keyword stays', () => {
  const names = ['pattern', 'properties', '$id', 'enum', 'documentedAs'];
  const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
  const { properties } = hoist(schema, {}) as { properties: object };
  assert.deepEqual(Object.keys(properties), names);
});
