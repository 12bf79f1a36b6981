import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../../test/support/harness.ts';
import { outbox } from '../../../../test/support/outbox.ts';

const app = await openTestApp({ settings: { 'site.store_url': 'https://shop.example' } });
const admin = await app.key('admin', 'read,write,manage');
const manager = await app.key('manager', 'read,write');
const LIST = '/svc/store/v1/registrations';

interface Applied {
  id: number;
  login: string;
  user: { id: number };
}
let number = 0;
async function apply(more: Record<string, unknown> = {}): Promise<Applied> {
  const login = `person${++number}`;
  const json = { login, email: `${login}@${login}.example`, display_name: login, ...more };
  const reply = await app.call(LIST, { method: 'POST', json });
  assert.equal(reply.status, 201, reply.text);
  return { login, ...reply.body };
}
const post = (path: string, json: unknown, key = manager) =>
  app.call(`${LIST}${path}`, { method: 'POST', key, json });
const review = async (id: number) => (await app.call(`${LIST}/${id}/review`, { key: admin })).body;
const mailsTo = async (login: string) =>
  (await outbox(app.site)).filter((mail) => mail.to_address.startsWith(`${login}@`)).slice(1);

describe('POST /registrations/{id}/accept', () => {
  test('gives rate, code and group with the acceptance, and records who decided', async () => {
    const group = { name: 'Gold' };
    await app.call('/svc/store/v1/groups', { method: 'POST', key: admin, json: group });
    const { id, user, login } = await apply({ coupon_code: 'WISH' });
    const terms = { percent: 12.5, coupon_code: 'GIVEN', group: 'gold', message: 'Welcome!' };
    const { status, body } = await post(`/${id}/accept`, terms);
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, {
      status: 'accepted',
      coupon_code: 'GIVEN',
      decided_by: { id: idOf('manager') },
      decline_reason: null,
    });
    const affiliate = (await app.call(`/affiliates/${user.id}`, { key: admin })).body;
    assert.deepEqual(affiliate.groups, ['Gold']);
    const coupon = await app.call(`/coupons/${affiliate.coupons[0].id}`, { key: admin });
    assert.deepEqual([coupon.body.code, coupon.body.commission.percent_override], ['GIVEN', 12.5]);
    const [mail] = await mailsTo(login);
    assert.match(mail!.text, /GIVEN[^]*Welcome!/);
  });

  test('400: a taken code names a free one, an unknown group is named; nothing changes', async () => {
    await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json: { code: 'HELD' } });
    const { id } = await apply();
    const head = await feedHead(app.site);
    const taken = await post(`/${id}/accept`, { coupon_code: 'held' });
    assert.equal(refusal(taken), '400 rest_invalid_param');
    assert.match(taken.body.data.params.coupon_code, /held2 is free/);
    const unknown = await post(`/${id}/accept`, { group: 'Nobody' });
    assert.match(unknown.body.data.params.group, /no group named Nobody/);
    assert.equal(refusal(await post(`/${id}/accept`, { percent: 101 })), '400 rest_invalid_param');
    assert.equal((await review(id)).application.status, 'pending');
    assert.equal(await feedHead(app.site), head);
  });

  test('two managers accept one application concurrently: one affiliate, one coupon, one mail', async () => {
    const { id, login, user } = await apply();
    const calls = [admin, manager].flatMap((key) => [
      post(`/${id}/accept`, { percent: 5 }, key),
      post('/batch', { ids: [id], status: 'accepted' }, key),
    ]);
    const replies = await Promise.all(calls);
    const won = replies.filter(
      ({ status, body }) => status === 200 && (body.items?.[0].ok ?? true),
    );
    assert.equal(won.length, 1, JSON.stringify(replies.map(({ body }) => body)));
    const coupons = await app.call(`/coupons?user_id=${user.id}`, { key: admin });
    assert.equal(coupons.body.length, 1);
    assert.deepEqual(
      (await mailsTo(login)).map(({ template }) => template),
      ['registration-accepted'],
    );
  });
});

test('POST /registrations/{id}/decline: the reason is stored, and the mail gives it in the language of the applicant', async () => {
  const { id, login } = await apply({ language: 'de' });
  const json = { reason: 'not_a_fit', note: 'Sells <b>knives</b>.', tell_reason: true };
  const { status, body } = await post(`/${id}/decline`, json);
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, {
    status: 'declined',
    decline_reason: 'not_a_fit',
    decline_note: 'Sells <b>knives</b>.',
    decided_by: { id: idOf('manager') },
  });
  const [mail] = await mailsTo(login);
  assert.match(mail!.text, /Ihr Angebot passt nicht gut genug/);
  assert.ok(!mail!.text.includes('knives'));
  assert.equal(refusal(await post(`/${id}/decline`, {})), '400 svc_api_no_change');
  const untold = await apply();
  await post(`/${untold.id}/decline`, { reason: 'not_a_fit', message: 'Sorry.' });
  const [silent] = await mailsTo(untold.login);
  assert.ok(silent!.text.includes('Sorry.') && !silent!.text.includes("doesn't fit"));
  assert.equal(refusal(await post('/999999/decline', {})), '404 svc_api_not_found');
});

test('POST /registrations/{id}/messages: mailed and stored with the author; limited', async () => {
  const { id, login, user } = await apply();
  const head = await feedHead(app.site);
  const { status, body } = await post(`/${id}/messages`, {
    text: 'Which channels?\n\n<i>Yours</i>',
  });
  assert.equal(status, 201);
  assert.deepEqual(body.author.id, idOf('manager'));
  const [mail] = await mailsTo(login);
  assert.equal(mail!.template, 'registration-message');
  assert.match(mail!.text, /Which channels\?/);
  assert.match(mail!.html, /&lt;i&gt;Yours/);
  const found = await review(id);
  assert.deepEqual([found.messages.length, found.application.messages], [1, 1]);
  const events = (await app.call(`/events?after=${head}`, { key: admin })).body;
  assert.deepEqual(
    events.map((event: any) => [event.event, event.data]),
    [['registration.messaged', { registration_id: id, user_id: user.id, message_id: body.id }]],
  );
  assert.equal(refusal(await post(`/${id}/messages`, { text: ' \n' })), '400 rest_invalid_param');
  const more = await Promise.all(
    Array.from({ length: 6 }, (_, i) => post(`/${id}/messages`, { text: `No. ${i}` })),
  );
  assert.ok(more.some((reply) => reply.status === 429));
  assert.equal((await review(id)).messages.length, 5);
});

test('POST /registrations/batch: each item has its own result', async () => {
  const [a, b, c] = [await apply(), await apply(), await apply()];
  await post(`/${b.id}/accept`, { send_email: false });
  const ids = [a.id, b.id, 999_999, c.id];
  const json = { ids, status: 'declined', reason: 'full', note: 'Spring', tell_reason: true };
  const { status, body } = await post('/batch', json);
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map((item: any) => [item.id, item.ok, item.status, item.error?.code ?? null]),
    [
      [a.id, true, 'declined', null],
      [b.id, false, 'accepted', 'svc_api_already_accepted'],
      [999_999, false, null, 'svc_api_not_found'],
      [c.id, true, 'declined', null],
    ],
  );
  assert.equal((await review(c.id)).application.decline_note, 'Spring');
  const mixed = await post('/batch', { ids: [a.id], status: 'accepted', reason: 'full' });
  assert.match(mixed.body.data.params.reason, /only for applications that are declined/);
  const again = await post('/batch', { ids: [c.id, a.id], status: 'accepted', percent: 7 });
  assert.ok(again.body.items.every((item: any) => item.ok));
});

test('GET /registrations: searched, filtered, sorted and paged', async () => {
  const first = await apply({ display_name: 'Zoë Zebra', website: 'https://Stripes.example/x' });
  const second = await apply({ coupon_code: 'ZEBRA_CODE' });
  const list = async (query: string) => {
    const { body, headers } = await app.call(`${LIST}?${query}`, { key: admin });
    return { ids: body.map(({ id }: Applied) => id), total: Number(headers.get('X-Svc-Total')) };
  };
  assert.deepEqual(await list('search=zebra'), { ids: [second.id, first.id], total: 2 });
  assert.deepEqual((await list('search=zebra&sort=date')).ids, [first.id, second.id]);
  assert.deepEqual(await list('search=ZEBRA_co&per_page=1'), { ids: [second.id], total: 1 });
  assert.deepEqual((await list('search=stripes.EXAMPLE&status=pending')).ids, [first.id]);
  assert.deepEqual((await list('search=zebra&status=declined')).ids, []);
  const accepted = await post(`/${second.id}/accept`, { coupon_code: 'OKAPI' });
  assert.equal(accepted.status, 200, accepted.text);
  assert.deepEqual((await list('search=okapi')).ids, [second.id]);
  assert.deepEqual((await list('search=zebra')).ids, [first.id]);
  assert.deepEqual((await list('status=pending&per_page=1')).ids, [first.id]);
});

describe('GET /registrations/{id}/review', () => {
  const codes = async ({ id }: Applied) =>
    (await review(id)).notes.map((note: any) => [
      note.code,
      note.others.map((other: any) => other.user_id),
    ]);

  test('an ordinary application has no notes', async () => {
    assert.deepEqual(await codes(await apply()), []);
  });

  test('similar addresses, mailboxes, websites, domains and throw-away providers are named', async () => {
    const ann = await apply({ email: 'ann.lee@gmail.com', website: 'https://www.ann.example/a' });
    const tag = await apply({ email: 'AnnLee+shop@googlemail.com', website: 'http://ann.example' });
    const nine = await apply({ email: 'annlee99@gmail.com', website: 'https://instagram.com/ann' });
    assert.deepEqual(await codes(tag), [
      ['same_mailbox', [ann.user.id]],
      ['similar_address', [nine.user.id]],
      ['same_website', [ann.user.id]],
    ]);
    await apply({ email: 'other@gmail.com', website: 'https://instagram.com/other' });
    assert.deepEqual(await codes(nine), [['similar_address', [tag.user.id, ann.user.id]]]);
    const [one, two] = [
      await apply({ email: 'jo@ring.example' }),
      await apply({ email: 'max@ring.example' }),
    ];
    assert.deepEqual(await codes(two), [['same_mail_domain', [one.user.id]]]);
    assert.deepEqual(await codes(await apply({ email: 'x@sub.mailinator.com' })), [
      ['throw_away_address', []],
    ]);
    const tagOfUser = await apply({ email: 'maya+2@test.example' });
    assert.partialDeepStrictEqual(await codes(tagOfUser), [['same_mailbox', [idOf('maya')]]]);
  });

  test('applications from one network are named, without the network', async () => {
    const send = async (login: string, address: string) => {
      const form = `login=${login}&email=${login}@${login}.example&display_name=${login}`;
      const headers = { 'X-Forwarded-For': address };
      const { status } = await app.call('~/apply', { method: 'POST', form, headers });
      assert.equal(status, 201);
      const { body } = await app.call(`${LIST}?search=${login}`, { key: admin });
      return body[0] as Applied;
    };
    const first = await send('netone', '198.51.100.7');
    const second = await send('nettwo', '198.51.100.7');
    await send('netthree', '198.51.100.8');
    assert.deepEqual(await codes(second), [['same_network', [first.user.id]]]);
    assert.ok(!JSON.stringify(await review(second.id)).includes('198.51'));
  });

  test('403 for an affiliate, 404 for an unknown one', async () => {
    const maya = await app.key('maya', 'read');
    assert.equal(
      refusal(await app.call(`${LIST}/1/review`, { key: maya })),
      '403 svc_api_forbidden',
    );
    assert.equal(
      refusal(await app.call(`${LIST}/999999/review`, { key: admin })),
      '404 svc_api_not_found',
    );
  });
});

test('the export of a person has the decision and the messages; erasing removes both', async () => {
  const { id, user, login } = await apply({
    email: 'gone@erased.example',
    website: 'https://gone.example',
  });
  await post(`/${id}/messages`, { text: 'Private words' });
  await post(`/${id}/decline`, { reason: 'content', note: 'Private note' });
  await post(`/${id}/accept`, {});
  const person = `/svc/store/v1/affiliates/${user.id}`;
  const { body } = await app.call(`${person}/person`, { key: admin });
  assert.partialDeepStrictEqual(body.data, {
    application_notes: [{ decline_reason: 'content', decline_note: 'Private note' }],
    application_messages: [{ text: 'Private words' }],
  });
  const erased = await app.call(`${person}/anonymise`, {
    method: 'POST',
    key: admin,
    json: { login },
  });
  assert.equal(erased.status, 200, erased.text);
  const after = await review(id);
  assert.deepEqual([after.messages, after.application.decline_note], [[], '']);
  const twin = await apply({ email: 'gone2@erased.example', website: 'https://gone.example' });
  assert.deepEqual((await review(twin.id)).notes, []);
});
