import Type from 'typebox';
import { ApiError } from '../../kernel/errors.ts';
import { Answer, operation } from '../../kernel/operation.ts';
import {
  createUser,
  hashPassword,
  hasAdministrator,
  newUserFields,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../users/index.ts';
import { openSession } from './session.ts';
import { endSetup, isValidSetupToken } from './setup-link.ts';
import { setupForm, setupOver } from './setup-page.ts';

export const finishSetup = operation({
  method: 'POST',
  namespace: 'site',
  path: '/setup',
  summary: 'Make the first administrator',
  access: 'public',
  scope: null,
  body: Type.Object({
    token: Type.String({ maxLength: 100 }),
    ...newUserFields,
    password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
  }),
  response: Type.String(),
  // Hashing a password takes a while; no transaction may wait for it.
  transaction: false,
  async handle({ db, site, request }, { token, login, email, password }) {
    if (!(await isValidSetupToken(db, site, token))) return setupOver();
    const passwordHash = await hashPassword(password);
    try {
      const cookie = await site.database.transaction(async (tx) => {
        // Looked at again inside: of two that arrive together, one finds it used.
        if (!(await isValidSetupToken(tx, site, token)) || (await hasAdministrator(tx)))
          return null;
        await endSetup(tx);
        const user = await createUser(tx, site, {
          login,
          email,
          role: 'administrator',
          passwordHash,
        });
        return (await openSession(tx, site, user.id, request.secure)).cookie;
      });
      if (cookie === null) return setupOver();
      return new Answer('', { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } });
    } catch (error) {
      if (error instanceof ApiError) return setupForm({ token, login, email, fault: error });
      throw error;
    }
  },
});
