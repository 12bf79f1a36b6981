import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, renderTemplate } from './template.ts';

test('a template is not kept after it was used: every draft of a text differs', () => {
  const template = 'Hello {{name}}';
  assert.notEqual(parseTemplate(template), parseTemplate(template));
  assert.equal(renderTemplate(template, { name: 'Maya' }, String), 'Hello Maya');
});
