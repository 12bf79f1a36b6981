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
  requireGoodPassword,
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

/** Accepts any input, so that a browser gets the form with messages instead of a JSON error. */
const field = Type.String({ default: '', maxLength: 5000 });
const fields = Object.fromEntries(
  Object.keys(SetupSchema.properties).map((name) => [name, field]),
) as Record<SetupField, typeof field>;

export const finishSetup = operation({
  method: 'POST',
  namespace: 'site',
  path: '/setup',
  summary: 'Set up the store, its first administrator and a first API key',
  access: 'public',
  scope: null,
  body: Type.Object({ token: field, ...fields }),
  otherStatus: 410,
  response: Type.String(),
  errors: [userExists, passwordsBusy],
  signsIn: true,
  // Hashing a password is slow, so it runs before the transaction.
  transaction: false,
  async handle({ db, site, request }, { token, ...typed }) {
    if (!(await isValidSetupToken(db, site, token))) {
      return (await hasAdministrator(db)) ? setupDone() : setupWithoutLink();
    }
    const values = withoutOuterSpaces(typed);
    try {
      checkSetup(site, values);
      await requireGoodPassword(site, values.password, { ...values, store: values.store_name });
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

/** Trims spaces from pasting, except in the password, where they may be intended. */
function withoutOuterSpaces({ password, ...typed }: SetupValues): SetupValues {
  const trimmed = Object.entries(typed).map(([name, value]) => [name, value.trim()]);
  return { ...(Object.fromEntries(trimmed) as typeof typed), password };
}

/** Creates the store, the administrator, its key and its session in one transaction. Null if the setup is done. */
async function setUp(site: Site, token: string, values: SetupValues, request: RequestFacts) {
  const passwordHash = await hashPassword(values.password, request);
  return site.database.transaction(async (tx) => {
    await tx.lock('setup');
    // Checked again inside the transaction: of two parallel requests only one may use the link.
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
    // Configured values are not part of the form, so sent ones are ignored.
    .map(([name, setting]) => ({
      setting,
      value: site.settings.isFixed(setting)
        ? site.settings.get(setting)
        : values[name as SetupField],
    }));
  await storeSettings(tx, site, chosen, { userId, nowMs });
  // Stored even if they equal the default, because a later release may change the default.
  for (const { setting, value } of chosen) await saveSetting(tx, site, setting, value, nowMs);
}
