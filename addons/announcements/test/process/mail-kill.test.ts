import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeDatabase,
  rowsIn,
  untilNobodyIsConnected,
} from '../../../../test/process/look-inside.ts';
import { install } from '../../../../test/process/run.ts';
import { startServer } from '../../../../test/process/running-server.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { MailReceiver } from '../../../../test/support/mail-receiver.ts';

const STORE = '~/svc/store/v1';
const AFFILIATES = 30;
/** After each the service starts again, which takes a second or two. */
const KILLS = 3;

test('kill -9 while an announcement and a series are sent: at most one mail a person, each named', async () => {
  const receiver = await new MailReceiver().listen();
  const { data, key } = await install({ 'api.rate_per_minute': 1_000_000 });
  const env = { TRIBUTARY_SMTP_URL: receiver.url(), TRIBUTARY_MAIL_FROM: 'program@store.example' };
  let server = await startServer(data, [], { env });
  const call = async (method: string, path: string, json?: object) => {
    const reply = await server.call(STORE + path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const text = (subject: string) => ({ en: { subject, text: 'Hello {{name}}' } });
  const series = await call('POST', '/series', {
    name: 'Welcome',
    starts_on: 'accepted',
    steps: [{ after_days: 0, texts: text('Welcome') }],
  });
  await call('PATCH', `/series/${series.id}`, { active: true });
  for (let i = 0; i < AFFILIATES; i += 1) {
    await call('POST', '/affiliates', { login: `friend${i}`, email: `friend${i}@test.example` });
  }
  const { id } = await call('POST', '/announcements', { texts: text('News') });
  await call('POST', `/announcements/${id}/send`, {});

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = receiver.received.length;
    await eventually(() => assert.ok(receiver.received.length >= before + 3));
    server.child.kill('SIGKILL');
    assert.equal((await server.stop('SIGKILL')).signal, 'SIGKILL');
    await untilNobodyIsConnected(data);
    // As if the leases of the killed process had ended.
    await changeDatabase(data, "update outbox set next_attempt_at = 1 where state = 'pending'");
    server = await startServer(data, [], { env });
  }

  const steps = [id, series.steps[0].id] as const;
  const list = `from announcement_receivers where announcement_id in (${steps.join(', ')})`;
  await eventually(async () => {
    const sql = `select count(*) as n, sum(case when state = 'queued' then 1 else 0 end) as queued ${list}`;
    const [row] = await rowsIn(data, sql);
    assert.deepEqual([Number(row!['n']), Number(row!['queued'])], [2 * AFFILIATES, 0]);
  });
  const got = receiver.received.map(({ envelopeTo: [to], parsed }) => `${to} ${parsed.subject}`);
  assert.equal(new Set(got).size, got.length, 'at most one mail each');
  const rows = await rowsIn(
    data,
    `select announcement_id, email, state ${list.replace('where', 'join users on users.id = user_id where')}`,
  );
  for (const { announcement_id, email, state } of rows) {
    assert.ok(state === 'sent' || state === 'unknown', String(state));
    const mail = `${String(email)} ${Number(announcement_id) === id ? 'News' : 'Welcome'}`;
    if (state === 'sent') assert.ok(got.includes(mail), mail);
  }
  assert.equal((await server.stop()).code, 0);
});
