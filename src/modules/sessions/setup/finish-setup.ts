import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { operation, type RequestFacts } from '../../../kernel/declare/operation.ts';
import type { SettingDefinition } from '../../../kernel/declare/setting.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { makeKey } from '../../keys/index.ts';
import { saveSetting, storeSettings } from '../../settings/index.ts';
import {
  createUser,
  hashPassword,
  hasAdministrator,
  passwordsBusy,
  userExists,
} from '../../users/index.ts';
import { openSession } from '../session.ts';
import {
  checkSetup,
  faultsOf,
  SetupSchema,
  storeFields,
  type SetupField,
  type SetupValues,
} from './setup-fields.ts';
import { endSetup, isValidSetupToken } from './setup-link.ts';
import { setupDone, setupWithoutLink } from './setup-over-page.ts';
import { setupForm } from './setup-page.ts';
import { welcomePage } from './welcome-page.ts';

/** Anything, so that a browser gets the form back with what is wrong, not a JSON error. */
const field = Type.String({ default: '', maxLength: 5000 });
const fields = Object.fromEntries(
  Object.keys(SetupSchema.properties).map((name) => [name, field]),
) as Record<SetupField, typeof field>;

export const finishSetup = operation({
  method: 'POST',
  namespace: 'site',
  path: '/setup',
  summary: 'Describe the store and make the first administrator, with a first key',
  access: 'public',
  scope: null,
  body: Type.Object({ token: field, ...fields }),
  otherStatus: 410,
  response: Type.String(),
  errors: [userExists, passwordsBusy],
  signsIn: true,
  // Hashing a password takes a while; no transaction may wait for it.
  transaction: false,
  async handle({ db, site, request }, { token, ...typed }) {
    if (!(await isValidSetupToken(db, site, token))) {
      return (await hasAdministrator(db)) ? setupDone() : setupWithoutLink();
    }
    const values = withoutOuterSpaces(typed);
    try {
      checkSetup(site, values);
      const made = await setUp(site, token, values, request);
      return made ? welcomePage(site, made) : setupDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const faults = faultsOf(error);
      const isElsewhere = Object.keys(faults).length === 0;
      return setupForm(site, {
        token,
        values,
        faults,
        status: error.definition.status,
        ...(isElsewhere && { message: error.message }),
      });
    }
  },
});

/** Spaces before and after come from pasting; those of a password may be meant. */
function withoutOuterSpaces({ password, ...typed }: SetupValues): SetupValues {
  const trimmed = Object.entries(typed).map(([name, value]) => [name, value.trim()]);
  return { ...(Object.fromEntries(trimmed) as typeof typed), password };
}

/** Everything or nothing: the store, the administrator, its key and its session. Null when it is done already. */
async function setUp(site: Site, token: string, values: SetupValues, request: RequestFacts) {
  const passwordHash = await hashPassword(values.password, request);
  return site.database.transaction(async (tx) => {
    await tx.lock('setup');
    // Looked at again inside: of two that arrive together, one finds it used.
    if (!(await isValidSetupToken(tx, site, token)) || (await hasAdministrator(tx))) return null;
    await endSetup(tx);
    const { login, email } = values;
    const user = await createUser(tx, site, { login, email, role: 'administrator', passwordHash });
    const nowMs = site.clock();
    await storeTheStore(tx, site, values, user.id, nowMs);
    const wanted = {
      owner: user,
      description: 'First key, made by the setup',
      scopes: ['read', 'write'] as const,
      userId: user.id,
    };
    const key = await makeKey(tx, site, wanted, nowMs);
    const { cookie } = await openSession(tx, site, user.id, request);
    return { login, token: key.token, cookie };
  });
}

async function storeTheStore(
  tx: Transaction,
  site: Site,
  values: SetupValues,
  userId: number,
  nowMs: number,
): Promise<void> {
  const chosen = Object.entries<SettingDefinition>(storeFields)
    // What the configuration gives is not asked, whatever is sent.
    .map(([name, setting]) => ({
      setting,
      value: site.settings.isFixed(setting)
        ? site.settings.get(setting)
        : values[name as SetupField],
    }));
  await storeSettings(tx, site, chosen, { userId, nowMs });
  // Also where they are the default: a later start must find what the store has decided on.
  for (const { setting, value } of chosen) await saveSetting(tx, site, setting, value, nowMs);
}
