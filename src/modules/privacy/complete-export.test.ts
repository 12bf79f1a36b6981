import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addonFacts, withAddons } from '../../../test/support/addon-facts.ts';
import { everyAddonOn } from '../../../test/support/every-addon-on.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { bankDetails, STORE } from '../../../test/support/payouts.ts';
import { personalColumns as ownColumns } from '../../../test/support/personal-columns.ts';
import { query } from '../../db/statements/query.ts';

const app = await openTestApp({ settings: everyAddonOn });
const admin = await app.key('admin', 'read,write,manage');
const personalColumns = withAddons(ownColumns, (facts) => facts.personalColumns);

/** The columns of every table, on both databases. */
function columnsOf(file: string): Map<string, string[]> {
  const schema = readFileSync(new URL(`../../../docs/schema/${file}`, import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/CREATE TABLE "?(?:public"?\."?)?(\w+)"? \(\n([^;]*)\n\)/gi)];
  return new Map(
    tables.map(([, table = '', body = '']) => [
      table,
      body.split('\n').flatMap((line) => {
        const name = /^\s+"?(\w+)"? /.exec(line)?.[1];
        return name === undefined || /^(constraint|primary|foreign|check)$/i.test(name)
          ? []
          : [name];
      }),
    ]),
  );
}

test('every column of the database is in the export of a person, or has a reason not to be', () => {
  for (const file of ['sqlite.sql', 'postgres.sql']) {
    const tables = columnsOf(file);
    assert.ok(tables.size > 50, `${file}: ${tables.size}`);
    for (const [table, columns] of tables) {
      const known = personalColumns[table];
      assert.ok(
        known !== undefined,
        `${table} is not in test/support/personal-columns.ts or the facts of its add-on`,
      );
      if (typeof known === 'string') continue;
      assert.deepEqual(columns.toSorted(), Object.keys(known).toSorted(), `${file}: ${table}`);
    }
  }
});

const maya = idOf('maya');
const send = async (method: string, path: string, json: object, key = admin) => {
  const target = path.startsWith('~') ? path : `${STORE}${path}`;
  const reply = await app.call(target, { method, key, json });
  assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  return reply.body;
};

const rows = [
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('imports').values({
      system: 'rewardful',
      state: 'done',
      files: '[]',
      digest: 'x',
      created_at: p.now,
    }),
  ),
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('import_links').values({
      import_id: 1,
      system: 'rewardful',
      kind: 'affiliate',
      external_id: 'R-1',
      user_id: p.id,
      created: 0,
      amount: 0,
    }),
  ),
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('import_history').values({
      import_id: 1,
      system: 'rewardful',
      kind: 'referral',
      external_id: 'R-2',
      user_id: p.id,
      state: 'paid',
      amount: 100,
      sale: null,
      reference: '',
      happened_at: p.now,
    }),
  ),
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('totp_secrets').values({
      user_id: p.id,
      secret: 'sealed',
      confirmed_at: p.now,
      last_step: 0,
      created_at: p.now,
    }),
  ),
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('passkeys').values({
      user_id: p.id,
      name: 'Phone',
      credential_id: 'c',
      public_key: 'k',
      counter: 0,
      transports: '[]',
      created_at: p.now,
    }),
  ),
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('report_views').values({ user_id: p.id, name: 'Quarter', query: 'days=90' }),
  ),
  query<{ now: number; id: number }>((db, p) =>
    db.insertInto('files').values({
      user_id: p.id,
      key: 'k',
      name: 'me.png',
      type: 'image/png',
      bytes: 9,
      sha256: '',
      width: 1,
      height: 1,
      small_bytes: 0,
      access: 'public',
      state: 'kept',
      created_at: p.now,
    }),
  ),
];

/** An application of the person, as if it had made it. */
const toMaya = query<{ id: number; user_id: number }>((db, p) =>
  db.updateTable('registrations').set({ user_id: p.user_id }).where('id', '=', p.id),
);

/** The first value at a path; lists are entered at their first row. */
function at(data: unknown, path: string): unknown {
  return path.split('.').reduce<any>((value, name) => {
    const one = Array.isArray(value) ? value[0] : value;
    assert.ok(one !== null && typeof one === 'object' && name in one, `${path} is missing`);
    return one[name];
  }, data);
}

test('what the list says is in the export is there', async () => {
  await send('PATCH', `/affiliates/${maya}`, { profile: { website: 'https://maya.example' } });
  await send('POST', '/groups', { name: 'Gold' });
  await send('PATCH', `/affiliates/${maya}`, { groups: ['Gold'] });
  await send('POST', `/affiliates/${maya}/notes`, { text: 'Tomas says: difficult.' });
  await send('PUT', `/affiliates/${maya}/tags`, { tags: ['vip'] });
  const { id } = await send('POST', '/coupons', { code: 'MAYA10', user_id: maya });
  const order = { status: 'completed', date: '2026-03-01', total: 100, coupon_codes: ['MAYA10'] };
  await send('PUT', '/orders/1', { ...order, customer: { email: 'a@post.example' } });
  await send('PUT', `/affiliates/${maya}/payout-details`, bankDetails);
  for (const { fillPerson } of addonFacts) await fillPerson?.(send, maya, app);
  await app.key('maya', 'read');
  await app.basic('maya');
  const session = await app.signIn('maya');
  const asked = await app.call('/payouts', { method: 'POST', session, json: { coupon_id: id } });
  assert.equal(asked.status, 201, asked.text);
  const change = { method: 'POST', session, json: { email: 'maya@new.example' } };
  assert.equal((await app.call(`${STORE}/account/email`, change)).status, 202);
  await app.site.database.transaction(async (tx) => {
    for (const row of rows) await tx.run(row, { now: app.site.clock(), id: maya });
  });
  const applicant = await app.call(`${STORE}/registrations`, {
    method: 'POST',
    json: { login: 'nora', email: 'nora@test.example' },
  });
  const registration = applicant.body.id as number;
  await send('POST', `/registrations/${registration}/messages`, { text: 'Where do you write?' });
  await send('POST', `/registrations/${registration}/decline`, {
    reason: 'not_a_fit',
    note: 'Knows Tomas.',
  });
  await app.site.database.transaction((tx) => tx.run(toMaya, { id: registration, user_id: maya }));

  // On PostgreSQL events are numbered after their commit.
  await feedHead(app.site);
  const { body } = await app.call(`${STORE}/affiliates/${maya}/person`, { key: admin });
  for (const [table, columns] of Object.entries(personalColumns)) {
    if (typeof columns === 'string') continue;
    for (const [column, place] of Object.entries(columns)) {
      if (!/^[a-z_]+(\.[a-z_]+)*$/.test(place)) continue;
      assert.notEqual(at(body.data, place), undefined, `${table}.${column}: ${place}`);
    }
  }

  assert.deepEqual(body.review, ['notes', 'application_notes']);
  const own = await app.call(`${STORE}/account/export`, { session });
  assert.doesNotMatch(own.text, /Tomas/);
  const { notes: _notes, application_notes: _declined, ...shared } = body.data;
  assert.deepEqual(Object.keys(own.body.data), Object.keys(shared));
});
