import Type, { type Static } from 'typebox';
import { ApiError } from '../../kernel/errors.ts';
import { Answer, operation, type RequestFacts } from '../../kernel/operation.ts';
import { InputReader } from '../../kernel/parameters.ts';
import type { Site } from '../../kernel/site.ts';
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

const Filled = Type.Object({
  ...newUserFields,
  password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
});

const filledReader = new InputReader({ body: Filled });

/** Anything, so that a browser gets the form back with what is wrong, not a JSON error. */
const field = Type.String({ default: '', maxLength: 1000 });

export const finishSetup = operation({
  method: 'POST',
  namespace: 'site',
  path: '/setup',
  summary: 'Make the first administrator',
  access: 'public',
  scope: null,
  body: Type.Object({ token: field, login: field, email: field, password: field }),
  response: Type.String(),
  signsIn: true,
  // Hashing a password takes a while; no transaction may wait for it.
  transaction: false,
  async handle({ db, site, request }, { token, ...filled }) {
    if (!(await isValidSetupToken(db, site, token))) return setupOver();
    try {
      filledReader.read({ params: {}, query: {}, body: filled, bodyIsText: true });
      const cookie = await makeAdministrator(site, token, filled, request);
      if (cookie === null) return setupOver();
      return new Answer('', { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return setupForm({ token, login: filled.login, email: filled.email, fault: error });
    }
  },
});

/** The cookie of the new administrator's session, or null when the link is no longer good. */
async function makeAdministrator(
  site: Site,
  token: string,
  { login, email, password }: Static<typeof Filled>,
  request: RequestFacts,
): Promise<string | null> {
  const passwordHash = await hashPassword(password, request);
  return site.database.transaction(async (tx) => {
    await tx.lock('setup');
    // Looked at again inside: of two that arrive together, one finds it used.
    if (!(await isValidSetupToken(tx, site, token)) || (await hasAdministrator(tx))) return null;
    await endSetup(tx);
    const user = await createUser(tx, site, { login, email, role: 'administrator', passwordHash });
    return (await openSession(tx, site, user.id, request)).cookie;
  });
}
