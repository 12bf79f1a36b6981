import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { curlHere } from '../../kernel/present/curl.ts';
import type { SetupProblem } from '../../web-contract/page-props.ts';
import { makeKey } from '../keys/index.ts';
import { openSession } from '../sessions/index.ts';
import { saveSetting, storeSettings } from '../settings/index.ts';
import {
  createUser,
  hashPassword,
  hasAdministrator,
  passwordsBusy,
  requireGoodPassword,
  userExists,
} from '../users/index.ts';
import { renderPage } from '../web/index.ts';
import { endDraft } from './setup-draft.ts';
import {
  cleaned,
  errorsIn,
  readSetup,
  stepOf,
  storeFields,
  type SetupValues,
  setupInput,
} from './setup-fields.ts';
import { endSetup, isValidSetupToken } from './setup-link.ts';
import { fixedTexts, setupOver, setupPage, textsSoFar } from './setup-pages.ts';

export const finishSetup = operation({
  method: 'POST',
  namespace: 'site',
  path: '/setup',
  summary: 'Set up the store, its first administrator and a first API key',
  access: 'public',
  scope: null,
  body: Type.Object(setupInput),
  otherStatus: 410,
  response: Type.String(),
  errors: [generalErrors.invalidParam, userExists, passwordsBusy],
  signsIn: true,
  // Hashing a password is slow, so it runs before the transaction.
  transaction: false,
  async handle({ db, site, request }, { token, ...typed }) {
    if (!(await isValidSetupToken(db, site, token))) return setupOver(db, site, request);
    const soFar = textsSoFar(site, request, token);
    const texts = { ...soFar, ...cleaned(typed), ...fixedTexts(site) };
    const read = readSetup(site, texts);
    if ('errors' in read) {
      // The errors of the page that was sent come first.
      const { errors } = read;
      const step = errorsIn('you', errors).length > 0 ? 'you' : stepOf(errors);
      return setupPage(site, request, { token, step, texts, errors, status: 400 });
    }
    const { values } = read;
    try {
      await requireGoodPassword(site, values.password, { ...values, store: values.store_name });
      const made = await setUp(site, token, values, request);
      return made ? await welcome(site, request, made) : await setupOver(db, site, request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isPassword = error.definition === generalErrors.invalidParam;
      return setupPage(site, request, {
        token,
        step: 'you',
        texts,
        status: error.definition.status,
        ...(isPassword ? { errors: ['password'] as const } : { problem: problemOf(error) }),
      });
    }
  },
});

function problemOf({ definition }: ApiError): SetupProblem {
  if (definition === userExists) return 'taken';
  return definition === passwordsBusy ? 'busy' : 'refused';
}

interface Made {
  login: string;
  /** The first key, which only this page shows. */
  key: string;
  cookie: string;
}

function welcome(site: Site, request: RequestFacts, { login, key, cookie }: Made) {
  const props = {
    login,
    key,
    lines: firstLines(site, key),
    applyUrl: `${site.publicUrl}/apply`,
    isPlainHttp: site.publicUrl.startsWith('http:'),
  };
  const headers = { 'Set-Cookie': [cookie, endDraft(request)], 'Cache-Control': 'no-store' };
  return renderPage(site, request, 'setup-finished', props, { headers, script: 'setup' });
}

/** Creates the store, the administrator, its key and its session in one transaction. Null if the setup is done. */
async function setUp(
  site: Site,
  token: string,
  values: SetupValues,
  request: RequestFacts,
): Promise<Made | null> {
  const passwordHash = await hashPassword(values.password, request);
  return site.database.transaction(async (tx) => {
    await tx.lock('setup');
    // Checked again inside the transaction: of two parallel requests only one may use the link.
    if (!(await isValidSetupToken(tx, site, token)) || (await hasAdministrator(tx))) return null;
    await endSetup(tx);
    const { login, email, language } = values;
    const person = { login, email, language, role: 'administrator' as const, passwordHash };
    const user = await createUser(tx, site, person);
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
    return { login, key: key.token, cookie };
  });
}

async function storeTheStore(
  tx: Transaction,
  site: Site,
  values: SetupValues,
  userId: number,
  nowMs: number,
): Promise<void> {
  const chosen = Object.entries<SettingDefinition>(storeFields).map(([name, setting]) => ({
    setting,
    value: values[name as keyof typeof storeFields],
  }));
  await storeSettings(tx, site, chosen, { userId, nowMs });
  // Stored even if they equal the default, because a later release may change the default.
  for (const { setting, value } of chosen)
    await saveSetting(tx, site, setting, value, { userId, nowMs });
}

const COUPON = 'FRIEND10';

/** Lines for a terminal: add an affiliate, send an order with its coupon, see the commission. */
function firstLines(site: Site, token: string): [string, string, string] {
  const affiliate = { login: 'friend', email: 'friend@example.com', coupon: { code: COUPON } };
  const order = {
    status: 'completed',
    date: site.calendar.toLocal(site.clock()),
    total: 100,
    coupon_codes: [COUPON],
  };
  return [
    `${call(site, token, '/svc/store/v1/affiliates')} ${withBody(affiliate)}`,
    `${call(site, token, '/svc/store/v1/orders/1')} -X PUT ${withBody(order)}`,
    call(site, token, '/svc/v2/coupons'),
  ];
}

function call(site: Site, token: string, path: string): string {
  return `${curlHere(site)} -H 'Authorization: Bearer ${token}' ${site.publicUrl}${path}`;
}

function withBody(value: unknown): string {
  return `-H 'Content-Type: application/json' -d '${JSON.stringify(value)}'`;
}
