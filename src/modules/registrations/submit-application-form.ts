import Type, { type Static } from 'typebox';
import { InputReader } from '../../kernel/call/parameters.ts';
import { anonymousRatePerMinute } from '../../kernel/call/rate-limit-settings.ts';
import { anonymous } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { foldAddress } from '../../shared/email-address.ts';
import type { Language } from '../../shared/languages.ts';
import { networkOf } from '../../shared/network.ts';
import { userExists } from '../users/index.ts';
import { languageOf, renderPage } from '../web/index.ts';
import {
  APPLICATION_BYTES_MAX,
  applicantFields,
  applicationFields,
  trapField,
} from './application-input.ts';
import { refusedForm } from './application-page.ts';
import { alreadyApplied, registrationsClosed, submitApplication } from './application.ts';
import { deviceCookie, deviceOf, keepOrigin } from './origins.ts';
import { answerErrors, ownFields } from './own-fields.ts';
import { findSubmittedBetween } from './registration-rows.ts';
import { autoAccept, registrationsOpen } from './settings.ts';
import { statusTokenOf } from './status-token.ts';

const FormInput = Type.Object({ ...applicantFields, ...applicationFields });
const reader = new InputReader({ body: FormInput });

const RESUBMITTED_WITHIN_MS = 10 * 60_000;

/** Accepts any text, so that a browser gets the form with error messages back, not a JSON error. */
const field = Type.String({ default: '', maxLength: 20_000 });

export const submitApplicationForm = operation({
  method: 'POST',
  namespace: 'site',
  path: '/apply',
  bodyBytesMax: APPLICATION_BYTES_MAX,
  summary: 'Submit the application form',
  access: 'public',
  scope: null,
  body: Type.Object({
    login: field,
    email: field,
    display_name: field,
    website: field,
    coupon_code: field,
    promote: field,
    referrer: field,
    custom_fields: Type.Record(Type.String(), field, { default: {} }),
    homepage: trapField,
  }),
  status: 201,
  response: Type.String(),
  errors: [registrationsClosed, userExists, alreadyApplied],
  // `submitOnce` opens its own transaction, so that an error rolls it back and the form can still be shown.
  transaction: false,
  async handle({ site, request, nowMs }, { homepage, custom_fields, ...values }) {
    if (request.fromOtherSite) throw new ApiError(generalErrors.forbidden);
    if (!site.settings.get(registrationsOpen)) {
      return renderPage(site, request, 'apply-closed', {}, { status: 403 });
    }
    try {
      if (!(await takeFromFormLimit(site, request.address))) {
        throw new ApiError(generalErrors.rateLimited);
      }
      const input = readForm(site, values, custom_fields);
      if (homepage !== '') return await thanks(site, request, 0, site.settings.get(autoAccept));
      const language = languageOf(site, request);
      const { network } = request;
      const device = deviceOf(site, request);
      const { id, status } = await submitOnce(site, { ...input, language, network }, device, nowMs);
      return await thanks(site, request, id, status === 'accepted', device);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refusedForm(site, request, { values, answers: custom_fields }, error);
    }
  },
});

type Input = Static<typeof FormInput> & { custom_fields: Record<string, string> };

/** Throws one error with all errors, those of the site's own fields included. */
function readForm(
  site: Site,
  values: Record<string, string>,
  answers: Record<string, string>,
): Input {
  const wrong = Object.keys(answerErrors(site, answers));
  // The reader validates the input with the schema `FormInput`.
  const input = reader.read(
    { params: {}, query: {}, body: values, bodyIsText: true },
    (_, errors) => wrong.forEach((name) => errors.add(`custom_fields.${name}`, 'is refused')),
  ) as Static<typeof FormInput>;
  const given = site.settings
    .get(ownFields)
    .filter(({ name }) => Object.hasOwn(answers, name) && answers[name]!.trim() !== '')
    .map(({ name }) => [name, answers[name]!]);
  return { ...input, custom_fields: Object.fromEntries(given) as Record<string, string> };
}

function thanks(
  site: Site,
  request: RequestFacts,
  id: number,
  isAccepted: boolean,
  device?: string,
) {
  const statusUrl = `/apply/status?token=${statusTokenOf(site, id)}`;
  const cookie = device && { 'Set-Cookie': deviceCookie(device, request.secure) };
  const options = { status: 201, headers: { 'Cache-Control': 'no-store', ...cookie } };
  return renderPage(site, request, 'applied', { isAccepted, statusUrl }, options);
}

/** A form that is submitted twice or reloaded finds the first application and adds none. */
async function submitOnce(
  site: Site,
  {
    login,
    email,
    display_name,
    language,
    ...rest
  }: Input & { language: Language; network: string },
  device: string | undefined,
  nowMs: number,
): Promise<{ id: number; status: string }> {
  const applicant = { login, email, display_name, language };
  const application = { ...rest, applicant, type: '' };
  return site.database.transaction(async (tx) => {
    await tx.lock(`application of ${foldAddress(email)}`);
    const earlier = await findSubmittedBetween(tx, applicant, {
      since: nowMs - RESUBMITTED_WITHIN_MS,
      until: nowMs,
    });
    if (earlier) return earlier;
    const row = await submitApplication(tx, site, anonymous, application, nowMs);
    if (device) {
      const { network } = application;
      await keepOrigin(tx, site, { userId: row.user_id, network, device }, nowMs);
    }
    return row;
  });
}

const PER_NETWORK = 10;

/**
 * Whether to accept one more application. The form has the same limit per minute as all
 * unauthenticated API requests together, and a lower one per network.
 * @internal
 */
export async function takeFromFormLimit(
  { limits, settings }: Site,
  address: string,
): Promise<boolean> {
  const ofAddress = await limits.take(`form from ${networkOf(address)}`, PER_NETWORK);
  if (!ofAddress.allowed) return false;
  const ofAll = await limits.take('form', settings.get(anonymousRatePerMinute));
  return ofAll.allowed;
}
