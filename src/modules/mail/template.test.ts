import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, renderTemplate } from './template.ts';

test('a template is parsed once, and forgotten after many others: every draft of a text differs', () => {
  const template = 'Hello {{name}}';
  const parsed = parseTemplate(template);
  assert.equal(parseTemplate(template), parsed);
  assert.equal(renderTemplate(template, { name: 'Maya' }, String), 'Hello Maya');
  for (let draft = 0; draft < 1_000; draft++) parseTemplate(`${template} ${draft}`);
  assert.notEqual(parseTemplate(template), parsed);
  assert.equal(renderTemplate(template, { name: 'Tomas' }, String), 'Hello Tomas');
});
