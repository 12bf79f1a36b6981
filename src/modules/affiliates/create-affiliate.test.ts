import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, PASSWORD, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createGroup } from '../groups/index.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const create = (json: unknown) =>
  app.call('/svc/store/v1/affiliates', { method: 'POST', key: admin, json });
const person = (login: string) => ({ login, email: `${login}@new.example` });
for (const name of ['Gold', 'Silver']) await invoke(app.site, createGroup, { name });

describe('POST /svc/store/v1/affiliates', () => {
  describe('201', () => {
    test('an affiliate is created with all optional fields', async () => {
      const { status, body } = await create({
        ...person('nora'),
        display_name: 'Nora N.',
        groups: ['silver', 'Gold', 'GOLD'],
        profile: {
          phone: '+41 1',
          website: 'https://nora.example',
          custom_fields: { vat: 'CH-1', sizes: [1, 2] },
        },
        coupon: { code: 'NORA', percent_override: 12 },
      });
      assert.equal(status, 201);
      assert.deepEqual(body.user, {
        id: body.id,
        display_name: 'Nora N.',
        login: 'nora',
        email: 'nora@new.example',
      });
      assert.equal(body.status, 'active');
      assert.deepEqual(body.groups, ['Gold', 'Silver']);
      assert.deepEqual(body.profile, {
        phone: '+41 1',
        website: 'https://nora.example',
        promote: '',
        referrer: '',
        custom_fields: { vat: 'CH-1', sizes: [1, 2] },
      });
      assert.equal(body.coupons.length, 1);
      assert.equal(body.coupons[0].code, 'NORA');
      const coupon = await app.call(`/coupons/${body.coupons[0].id}`, { key: admin });
      assert.equal(coupon.body.commission.percent, 12);
      const again = await app.call(`/affiliates/${body.id}`, { key: admin });
      assert.deepEqual(again.body, body);
    });

    test('login and address are the only required fields', async () => {
      const { status, body } = await create(person('plain'));
      assert.equal(status, 201);
      assert.equal(body.user.display_name, 'plain');
      assert.deepEqual(body.coupons, []);
      assert.deepEqual(body.groups, []);
    });

    test('the affiliate can sign in with the password, which no response contains', async () => {
      const { text } = await create({ ...person('signs'), password: PASSWORD });
      assert.ok(!text.includes(PASSWORD) && !text.includes('argon2'));
      const session = await app.signIn('signs');
      assert.equal((await app.call('/me', { session })).body.role, 'affiliate');
    });

    test('invite mails a link for choosing a password, unless one is given', async () => {
      const invited = async (login: string, more: object) => {
        const { body } = await create({ ...person(login), ...more });
        return (await outbox(app.site))
          .filter((mail) => mail.to_address === body.user.email)
          .map((mail) => mail.template);
      };
      assert.deepEqual(await invited('asked', { invite: true }), ['account-invitation']);
      assert.deepEqual(await invited('able', { invite: true, password: PASSWORD }), []);
      assert.deepEqual(await invited('silent', {}), []);
    });

    test('affiliate.created and coupon.created are emitted in this order, without personal data', async () => {
      const head = await feedHead(app.site);
      const { body } = await create({ ...person('told'), coupon: { code: 'TOLD' } });
      const events = (await app.call(`/events?after=${head}`, { key: admin })).body;
      assert.deepEqual(
        events.map((event: any) => [event.event, event.object_id, event.data]),
        [
          ['affiliate.created', body.id, { user_id: body.id }],
          [
            'coupon.created',
            body.coupons[0].id,
            { coupon_id: body.coupons[0].id, user_id: body.id },
          ],
        ],
      );
      assert.equal(events[0].user_id, idOf('admin'));
    });
  });

  describe('400', () => {
    test('missing parameters are named', async () => {
      const reply = await create({});
      assert.equal(refusal(reply), '400 rest_missing_callback_param');
      assert.deepEqual(reply.body.data.params, ['login', 'email']);
    });

    for (const [why, more, parameter] of [
      ['a group that does not exist', { groups: ['Gold', 'Platinum'] }, 'groups'],
      ['a password that is too short', { password: 'elevenchars' }, 'password'],
      ['a website that is a script', { profile: { website: 'javascript:alert(1)' } }, 'profile'],
      ['a coupon without a code', { coupon: {} }, 'coupon'],
      ['a coupon code with a space', { coupon: { code: 'A B' } }, 'coupon'],
      [
        'a coupon with a rate below one cent',
        { coupon: { code: 'A', fixed_per_order: 0.001 } },
        null,
      ],
      ['an empty name', { display_name: '' }, 'display_name'],
      ['a name with a line break', { display_name: 'a\nb' }, 'display_name'],
    ] as const) {
      test(`${why}, and no user is created`, async () => {
        const head = await feedHead(app.site);
        const reply = await create({ ...person('refused'), ...more });
        assert.equal(refusal(reply), '400 rest_invalid_param');
        if (parameter) assert.deepEqual(Object.keys(reply.body.data.params), [parameter]);
        assert.equal(await feedHead(app.site), head);
        assert.deepEqual((await app.call('/affiliates?search=refused', { key: admin })).body, []);
      });
    }
  });

  describe('409', () => {
    test('a login or address in use is refused, ignoring case', async () => {
      for (const json of [
        { login: 'MAYA', email: 'other@new.example' },
        { login: 'other', email: 'Maya@Test.example' },
      ]) {
        assert.equal(refusal(await create(json)), '409 svc_api_user_exists');
      }
    });

    test('ten concurrent requests create one affiliate', async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => create(person('contested'))),
      );
      const statuses = replies.map((reply) => reply.status).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
    });
  });
});
