import { createAccountLink } from '../../src/modules/accounts/account-link.ts';
import type { LinkPurpose } from '../../src/modules/accounts/tables.ts';
import { idOf, PASSWORD } from '../support/harness.ts';
import { FilledStore, STORE } from './filled-store.ts';
import { formOf, type Case } from './request.ts';

/** The address that a mailed link has the token in. */
async function tokenOf(store: FilledStore, userId: number, purpose: LinkPurpose): Promise<string> {
  const { site } = store.app;
  const link = await site.database.transaction((tx) =>
    createAccountLink(
      tx,
      site,
      { userId, purpose, data: `new${userId}@shop.example` },
      site.clock(),
    ),
  );
  return new URL(link).searchParams.get('token')!;
}

const opensLink =
  (purpose: LinkPurpose): Case =>
  async (row, store) => ({ query: { token: await tokenOf(store, row, purpose) } });

const usesLink =
  (purpose: LinkPurpose): Case =>
  async (row, store) => {
    const token = await tokenOf(store, row, purpose);
    return { form: formOf({ token, password: `${PASSWORD} ${row}` }) };
  };

const signsIn = (login: string): Case => {
  return async (_row, store) => ({ session: await store.app.signIn(login) });
};

/** Makes a row of this table belong to the administrator, who calls. */
const ownRow =
  (table: string): Case =>
  (row, { db }) => {
    db.exec(`update ${table} set user_id = ${idOf('admin')} where id = ${row}`);
    return {};
  };

/** Calls about accounts, sessions and the team. */
export const accountCases: Readonly<Record<string, Case>> = {
  'DELETE /session': signsIn('maya'),
  'DELETE /svc/store/v1/account/keys/{id}': ownRow('api_keys'),
  'DELETE /svc/store/v1/account/passkeys/{id}': ownRow('passkeys'),
  'DELETE /svc/store/v1/report-views/{id}': ownRow('report_views'),
  'DELETE /svc/store/v1/account/sessions': signsIn('tomas'),
  'DELETE /svc/store/v1/account/sessions/{id}': async (_row, store) => {
    await store.app.signIn('tomas');
    const session = await store.app.signIn('tomas');
    const { body } = await store.app.call(`${STORE}/account/sessions`, { session });
    const other = body.find(({ current }: { current: boolean }) => !current);
    return { session, params: { id: other.id } };
  },
  'GET /app/confirm-email': opensLink('email'),
  'GET /app/invitation': opensLink('invitation'),
  'GET /app/reset': opensLink('reset'),
  'GET /app/sign-in-link': opensLink('sign-in'),
  // Not as the admin who makes the other calls: each of them adds an event.
  'GET /svc/store/v1/account/export': signsIn('tomas'),
  'GET /session': signsIn('maya'),
  'GET /setup': () => ({ refusal: 410 }),
  'PATCH /svc/store/v1/account/passkeys/{id}': ownRow('passkeys'),
  'PATCH /svc/store/v1/team/{id}': () => ({
    params: { id: idOf('manager') },
    json: { role: 'manager' },
  }),
  'POST /app/confirm-email': usesLink('email'),
  'POST /app/forgot': (row) => ({ form: formOf({ email: `user${row}@shop.example` }) }),
  'POST /app/invitation': usesLink('invitation'),
  'POST /app/login': () => ({ form: formOf({ login: 'maya', password: PASSWORD }) }),
  'POST /app/login-link': (row) => ({ form: formOf({ email: `user${row}@shop.example` }) }),
  'POST /app/logout': signsIn('maya'),
  'POST /app/reset': usesLink('reset'),
  'POST /app/sign-in-link': usesLink('sign-in'),
  'POST /session': () => ({ json: { login: 'maya', password: PASSWORD } }),
  'POST /session/proof': async (_row, store) => ({
    session: await store.app.signIn('maya'),
    json: { password: PASSWORD },
  }),
  'POST /setup': () => ({ refusal: 410 }),
  'POST /setup/step': () => ({ refusal: 410 }),
  'POST /svc/store/v1/account/email': (row, { app }) => {
    // A link is mailed once in five minutes.
    app.advance(10 * 60_000);
    return { json: { email: `other${row}@shop.example` } };
  },
  'POST /svc/store/v1/account/passkeys': () => ({ refusal: 400 }),
  'POST /svc/store/v1/account/password': async (_row, store) => ({
    key: await store.app.key('carla', 'manage'),
    json: { current_password: `${PASSWORD} 0`, new_password: 'four yellow boats' },
    refusal: 401,
  }),
  'POST /svc/store/v1/account/password-resets': (row) => ({
    json: { email: `user${row}@shop.example` },
  }),
  'POST /svc/store/v1/account/recovery-codes': ownRow('passkeys'),
  'POST /svc/store/v1/account/sign-in-links': (row) => ({
    json: { email: `user${row}@shop.example` },
  }),
  'POST /svc/store/v1/account/totp/confirm': () => ({ refusal: 400 }),
  'POST /svc/store/v1/team': (row) => ({
    json: { login: `team${row}`, email: `team${row}@shop.example`, role: 'manager' },
  }),
  'POST /svc/store/v1/team/{id}/invitation': async (row, store) => {
    const json = { login: `new${row}`, email: `new${row}@test.example`, role: 'manager' };
    const { body } = await store.call(`${STORE}/team`, { method: 'POST', json });
    return { params: { id: body.id } };
  },
};
