import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSender } from '../shared/email-address.ts';
import { resolveConfig } from './config.ts';

const from = { TRIBUTARY_MAIL_FROM: 'program@store.example' };
const withServer = (url: string) => resolveConfig({}, { ...from, TRIBUTARY_SMTP_URL: url });

describe('the mail server', () => {
  test('is none unless it is given', () => {
    assert.equal(resolveConfig({}, {}).config.smtpUrl, '');
  });

  for (const url of [
    'smtp://mail.example',
    'smtp://mail.example:587/',
    'smtps://us%20er:p%40ss@mail.example:465',
    'smtp://[::1]:2525',
  ]) {
    test(`can be ${url}`, () => assert.equal(withServer(url).config.smtpUrl, url));
  }

  for (const url of [
    'mail.example:587',
    'https://mail.example',
    'smtp://',
    'smtp://canary@mail.example/path',
    'smtp://user:canary@mail.example?tls=no',
    'smtp://user:canary%zz@mail.example',
  ]) {
    test(`cannot be ${url}, and the refusal does not repeat it`, () => {
      assert.throws(
        () => withServer(url),
        ({ message }: Error) =>
          message.startsWith('TRIBUTARY_SMTP_URL must be an address like') &&
          !message.includes('canary'),
      );
    });
  }

  test('is not shown', () => {
    const { origins } = withServer('smtp://user:canary@mail.example');
    assert.ok(!JSON.stringify(origins).includes('canary'));
    assert.equal(origins.find(({ name }) => name === 'smtpUrl')!.value, '[secret]');
  });

  test('needs a sender that is an address', () => {
    const server = { TRIBUTARY_SMTP_URL: 'smtp://mail.example' };
    assert.throws(() => resolveConfig({}, server), /needs TRIBUTARY_MAIL_FROM/);
    for (const address of [
      'nobody',
      'a@b\r\nBcc: c@d',
      'A\r\nBcc: c@d <a@b.example>',
      '"A\\\nBcc: c@d" <a@b.example>',
      'A\u2028 <a@b.example>',
      'A\u202e <a@b.example>',
      'A <a@b.example>, B <c@d.example>',
      'A <a@b.example> <c@d.example>',
      'A "B" <a@b.example>',
      '"A <a@b.example>',
      'A <b>',
      `${'A'.repeat(101)} <a@b.example>`,
    ]) {
      const environment = { ...server, TRIBUTARY_MAIL_FROM: address };
      assert.throws(() => resolveConfig({}, environment), /MAIL_FROM must be an email address/);
    }
  });
});

test('the sender of mails may have a name, in quotes or not', () => {
  for (const [text, name, address] of [
    ['a@b.example', '', 'a@b.example'],
    ['<a@b.example>', '', 'a@b.example'],
    ['Our Store <a@b.example>', 'Our Store', 'a@b.example'],
    ['Käse & Brot<a@b.example>', 'Käse & Brot', 'a@b.example'],
    ['"Store, Ltd." <a@b.example>', 'Store, Ltd.', 'a@b.example'],
    ['"The \\"Store\\"" <a@b.example>', 'The "Store"', 'a@b.example'],
    ['"Our Store <a@b.example>"', 'Our Store', 'a@b.example'],
    ["'Our Store <a@b.example>'", 'Our Store', 'a@b.example'],
  ] as const) {
    const { mailFrom } = resolveConfig({}, { TRIBUTARY_MAIL_FROM: text }).config;
    assert.deepEqual(readSender(String(mailFrom)), { name, address }, text);
  }
});

describe('Redis', () => {
  const withRedis = (url: string) => resolveConfig({}, { REDIS_URL: url });

  test('is none unless it is given', () => {
    assert.equal(resolveConfig({}, {}).config.redisUrl, '');
  });

  for (const url of [
    'redis://localhost',
    'redis://127.0.0.1:6379/3',
    'rediss://us%20er:p%40ss@cache.example:6380/',
    'redis://:secret@[::1]:6379',
  ]) {
    test(`can be ${url}`, () => assert.equal(withRedis(url).config.redisUrl, url));
  }

  for (const url of [
    'cache.example:6379',
    'http://cache.example',
    'redis://',
    'redis://user:canary@cache.example/name',
    'redis://user:canary@cache.example?db=1',
    'redis://user:canary%zz@cache.example',
  ]) {
    test(`cannot be ${url}, and the refusal does not repeat it`, () => {
      assert.throws(
        () => withRedis(url),
        ({ message }: Error) =>
          message.startsWith('REDIS_URL must be an address like redis://') &&
          !message.includes('canary'),
      );
    });
  }

  test('is not shown', () => {
    const { origins } = withRedis('redis://user:canary@cache.example');
    assert.ok(!JSON.stringify(origins).includes('canary'));
  });
});
