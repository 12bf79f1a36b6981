import Type, { type Static } from 'typebox';
import { anonymous } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { InputReader } from '../../kernel/call/parameters.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { userExists } from '../users/index.ts';
import { applicantFields, applicationFields, trapField } from './application-input.ts';
import { applicationForm, applicationsClosed, applicationReceived } from './application-page.ts';
import { alreadyApplied, registrationsClosed, submitApplication } from './application.ts';
import { takeFromFormLimit } from './form-limit.ts';
import { findSubmittedBetween } from './registration-store.ts';
import { autoAccept, registrationsOpen } from './settings.ts';

const FormInput = Type.Object({ ...applicantFields, ...applicationFields });
const reader = new InputReader({ body: FormInput });

const RESUBMITTED_WITHIN_MS = 10 * 60_000;

/** Accepts any text, so that a browser gets the form with error messages back, not a JSON error. */
const field = Type.String({ default: '', maxLength: 20_000 });

export const submitApplicationForm = operation({
  method: 'POST',
  namespace: 'site',
  path: '/apply',
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
    homepage: trapField,
  }),
  status: 201,
  response: Type.String(),
  errors: [registrationsClosed, userExists, alreadyApplied],
  // `submitOnce` opens its own transaction, so that an error rolls it back and the form can still be shown.
  transaction: false,
  async handle({ site, request, nowMs }, { homepage, ...values }) {
    if (request.fromOtherSite) throw new ApiError(generalErrors.forbidden);
    if (!site.settings.get(registrationsOpen)) return applicationsClosed(site);
    try {
      if (!(await takeFromFormLimit(site, request.address))) {
        throw new ApiError(generalErrors.rateLimited);
      }
      const input = reader.read({ params: {}, query: {}, body: values, bodyIsText: true });
      if (homepage !== '') return applicationReceived(site, site.settings.get(autoAccept));
      // The reader has validated the input with the schema `FormInput`.
      const { status } = await submitOnce(site, input as Static<typeof FormInput>, nowMs);
      return applicationReceived(site, status === 'accepted');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return applicationForm(site, values, error);
    }
  },
});

/** A form that is submitted twice or reloaded finds the first application and adds none. */
async function submitOnce(
  site: Site,
  { login, email, display_name, ...rest }: Static<typeof FormInput>,
  nowMs: number,
): Promise<{ status: string }> {
  const applicant = { login, email, display_name, language: '' as const };
  const application = { ...rest, applicant, type: '', custom_fields: {} };
  return site.database.transaction(async (tx) => {
    await tx.lock(`application of ${email.toLowerCase()}`);
    const earlier = await findSubmittedBetween(tx, applicant, {
      since: nowMs - RESUBMITTED_WITHIN_MS,
      until: nowMs,
    });
    return earlier ?? submitApplication(tx, site, anonymous, application, nowMs);
  });
}
