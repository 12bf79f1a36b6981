import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { addTexts } from '../../shared/texts.ts';
import { defineMail, type MailName } from './mail.ts';

test('a mail may be declared before the texts of its add-on are there', () => {
  const mail = defineMail('declared-early' as MailName, Type.Object({}));
  const mails = { 'declared-early.subject': 'Hello', 'declared-early.text': 'It is early.' };
  addTexts({ en: { mails } });
  assert.deepEqual(mail.texts.de, { subject: 'Hello', text: 'It is early.' });
});
