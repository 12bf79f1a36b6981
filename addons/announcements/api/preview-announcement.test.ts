import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { sendAnnouncements } from '../announcements/send-announcements.ts';

const STORE = '/svc/store/v1';
const texts = {
  en: { subject: 'News for {{name}}', text: 'Hello {{name}}: {{coupon_code}}, {{referral_url}}' },
  de: { subject: 'Neues für {{name}}', text: 'Hallo {{name}}: {{coupon_code}}' },
};

const app = await openTestApp();
const key = await app.key('admin', 'read,write');
const call = (path: string, json: object) => app.call(STORE + path, { key, method: 'POST', json });
const preview = async (json: object) => (await call('/announcements/preview', json)).body;

describe('the preview of an announcement', () => {
  test('is what the affiliate then reads', async () => {
    await call('/coupons', { user_id: idOf('maya'), code: 'MAYA10' });
    const { receivers, reader } = await preview({ texts, user_id: idOf('maya') });
    assert.equal(receivers, 2);
    assert.equal(reader.subject, 'News for maya');
    assert.match(reader.text, /^Hello maya: MAYA10, https?:.*MAYA10$/);
    const { body: draft } = await call('/announcements', { texts, channels: ['portal'] });
    await call(`/announcements/${draft.id}/send`, {});
    await sendAnnouncements.run(app.site);
    const own = await app.call(`${STORE}/affiliates/${idOf('maya')}/announcements`, {
      key: await app.key('maya', 'read'),
    });
    const { subject, text, language } = own.body[0];
    assert.deepEqual({ subject, text, language }, pick(reader));
  });

  test('without an affiliate is for the first receiver, and without one only counts', async () => {
    assert.equal((await preview({ texts })).reader.name, 'maya');
    assert.deepEqual(await preview({}), { receivers: 2, reader: null });
    const none = { texts, segment: { groups: ['Platinum'] } };
    assert.deepEqual(await preview(none), { receivers: 0, reader: null });
  });

  test('counts who reads a language, also by that of the store', async () => {
    const changed = await app.call(`${STORE}/account`, {
      session: await app.signIn('tomas'),
      method: 'PATCH',
      json: { language: 'de' },
    });
    assert.equal(changed.status, 200, changed.text);
    const inLanguages = async (...languages: string[]) =>
      (await preview({ texts, segment: { languages } })).receivers;
    assert.equal(await inLanguages('de'), 1);
    assert.equal(await inLanguages('en'), 1);
    assert.equal(await inLanguages('de', 'en'), 2);
    assert.equal(await inLanguages('fr'), 0);
    const { reader } = await preview({ texts, segment: { languages: ['de'] } });
    assert.deepEqual([reader.name, reader.subject], ['tomas', 'Neues für tomas']);
  });

  test('refuses what sending refuses, and stores nothing', async () => {
    const path = '/announcements/preview';
    const wrong = await call(path, { texts: { en: { subject: 'A', text: '{{iban}}' } } });
    assert.equal(wrong.status, 400);
    assert.ok('texts.en.text' in wrong.body.data.params, wrong.text);
    assert.equal((await call(path, { texts, user_id: 999_999 })).status, 404);
    const reading = await app.key('admin', 'read');
    const asReader = await app.call(STORE + path, { key: reading, method: 'POST', json: {} });
    assert.equal(asReader.status, 403);
    const { headers } = await app.call(`${STORE}/announcements`, { key });
    assert.equal(headers.get('x-svc-total'), '1', 'the one of the first test');
  });
});

const pick = ({ subject, text, language }: Record<string, string>) => ({ subject, text, language });
