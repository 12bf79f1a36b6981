import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { proEdition } from '../edition-pro.ts';
import { sampleOf } from './schema-sample.ts';

describe('a sample fits the schema it is made from, and has all of it:', () => {
  for (const { name, data } of proEdition.flatMap((module) => module.events ?? [])) {
    test(name, () => {
      const sample = sampleOf(data) as object;
      assert.ok(Compile(data).Check(sample), JSON.stringify(sample));
      assert.deepEqual(Object.keys(sample), Object.keys(data.properties));
    });
  }
});
