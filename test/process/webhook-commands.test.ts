import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { BackgroundProcess } from '../support/background-process.ts';
import { eventually } from '../support/eventually.ts';
import { Receiver } from '../support/receiver.ts';
import { verify } from '../support/verify-signature.ts';
import {
  assertRefused,
  createKey,
  install,
  REFUSED,
  runEach,
  runHere,
  runJson,
  USAGE,
} from './run.ts';

let data: string;
before(async () => ({ data } = await install()));

describe('./tributary webhooks listen', () => {
  test('forwards events as they happen, signed with the secret it prints', async () => {
    const receiver = await new Receiver().listen();
    const flags = ['--forward-to', receiver.url, '--data', data];
    const listening = await BackgroundProcess.start(['webhooks', 'listen', ...flags]);
    const [, secret] = await listening.says(/Secret: (whsec_\S+)/);
    const { id } = await createKey(data, 'admin', 'read');
    await eventually(() => assert.equal(receiver.received.length, 1));
    const { body, headers, message } = receiver.received[0]!;
    verify(secret!, { body, headers });
    assert.deepEqual([message.type, message.data['key_id']], ['key.created', id]);
    assert.equal(headers['webhook-id'], `evt_${message.id}`);
    await listening.says(new RegExp(`evt_${message.id} key\\.created → 200`));

    receiver.close();
    await createKey(data, 'admin', 'read');
    await listening.says(/→ The receiver refused the connection\./);
    assert.deepEqual(await listening.stop('SIGINT'), { code: 0, signal: null });
    assert.match(listening.output.stdout, /Forwarded 2 events: 1 accepted, 1 failed\./);
  });

  test('from a position on, and only some events', async () => {
    const receiver = await new Receiver().listen();
    const flags = ['--forward-to', receiver.url, '--after', '0', '--events', 'key.created'];
    const listening = await BackgroundProcess.start([
      'webhooks',
      'listen',
      ...flags,
      '--data',
      data,
    ]);
    await eventually(() => assert.ok(receiver.received.length >= 2));
    assert.ok(receiver.received.every(({ message }) => message.type === 'key.created'));
    await listening.stop();
  });
});

describe('./tributary webhooks trigger', () => {
  for (const [status, answer] of [
    [500, 'boom\u001b[2J\nbang'],
    [302, ''],
    [400, ''],
  ] as const) {
    test(`ends with an exit code when the receiver answers ${status}, and says so`, async () => {
      const receiver = await new Receiver().listen();
      receiver.answer = (_, response) => void response.writeHead(status).end(answer);
      const flags = ['--forward-to', receiver.url, '--data', data];
      const result = await runHere(['webhooks', 'trigger', 'payout.paid', ...flags]);
      assert.equal(result.code, 1, result.stderr);
      assert.match(result.stdout, new RegExp(`Secret: whsec_[^]*"payout.paid"[^]*→ ${status}\n$`));
      const words = answer === '' ? `answered ${status}\\.` : 'answered 500: boom \\[2J bang\\n';
      assert.match(result.stderr, new RegExp(words));
      assert.equal(receiver.received.length, 1, 'a redirect is not followed');
    });
  }

  test('sends the example of the event', async () => {
    const receiver = await new Receiver().listen();
    const flags = ['--forward-to', receiver.url, '--data', data];
    const sent = await runJson(['webhooks', 'trigger', 'payout.paid', ...flags]);
    assert.deepEqual([sent.code, sent.body.type], [200, 'payout.paid']);
    const { body, headers, message } = receiver.received[0]!;
    verify(sent.secret, { body, headers });
    assert.deepEqual(message, sent.body);
    assert.deepEqual(Object.keys(message.data), [
      'payout_id',
      'user_id',
      'coupon_id',
      'amount',
      'currency',
      'method_type',
      'status',
      'from',
      'date',
      'date_paid',
      'transaction_id',
    ]);
  });
});

test('failures are reported in words', async () => {
  const at = ['--data', data];
  const [unknown, url, after, free, refused] = await runEach(
    [
      ['webhooks', 'trigger', 'payout.payed', ...at],
      ['webhooks', 'listen', '--forward-to', 'ftp://x', ...at],
      ['webhooks', 'listen', '--after', 'now', ...at],
      ['webhooks', 'trigger', 'key.created', '--edition', 'free', ...at],
      ['webhooks', 'trigger', 'key.created', '--forward-to', 'http://127.0.0.1:1/', ...at],
    ].map((args) => ({ args })),
  );
  assertRefused(unknown!, USAGE, /no event "payout\.payed".*payout\.paid/);
  assertRefused(url!, USAGE, /must be an http or https URL/);
  assertRefused(after!, USAGE, /must be the id of an event/);
  assertRefused(free!, REFUSED, /no webhooks in this edition/);
  assertRefused(refused!, 1, /127\.0\.0\.1:1\/: The receiver refused the connection/);
});
