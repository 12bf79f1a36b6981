import Type, { type Static } from 'typebox';
import { anonymous } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { InputReader } from '../../kernel/call/parameters.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { applicantFields, applicationFields, trapField } from './application-input.ts';
import { applicationForm, applicationsClosed, applicationTaken } from './application-page.ts';
import { submitApplication } from './application.ts';
import { takeFromFormLimit } from './form-limit.ts';
import { findSentBetween } from './registration-store.ts';
import { autoAccept, registrationsOpen } from './settings.ts';

const Checked = Type.Object({ ...applicantFields, ...applicationFields });
const reader = new InputReader({ body: Checked });

const REPEATED_MS = 10 * 60_000;

/** Anything, so that a browser gets the form back with what is wrong, not a JSON error. */
const field = Type.String({ default: '', maxLength: 20_000 });

export const takeApplicationForm = operation({
  method: 'POST',
  namespace: 'site',
  path: '/apply',
  summary: 'Apply with the form',
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
  // It opens its own, so that a refusal undoes what was written and still answers with the form.
  transaction: false,
  async handle({ site, request, nowMs }, { homepage, ...filled }) {
    if (request.fromOtherSite) throw new ApiError(generalErrors.forbidden);
    if (!site.settings.get(registrationsOpen)) return applicationsClosed(site);
    try {
      if (!(await takeFromFormLimit(site, request.address))) {
        throw new ApiError(generalErrors.rateLimited);
      }
      const input = reader.read({ params: {}, query: {}, body: filled, bodyIsText: true });
      if (homepage !== '') return applicationTaken(site, site.settings.get(autoAccept));
      const { status } = await submitOnce(site, input as Static<typeof Checked>, nowMs);
      return applicationTaken(site, status === 'accepted');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return applicationForm(site, filled, error);
    }
  },
});

/** A button pressed twice, a page loaded again: the second time finds what the first has sent. */
async function submitOnce(
  site: Site,
  { login, email, display_name, ...rest }: Static<typeof Checked>,
  nowMs: number,
): Promise<{ status: string }> {
  const applicant = { login, email, display_name };
  const application = { ...rest, applicant, type: '', custom_fields: {} };
  return site.database.transaction(async (tx) => {
    await tx.lock(`application of ${email.toLowerCase()}`);
    const earlier = await findSentBetween(tx, applicant, {
      since: nowMs - REPEATED_MS,
      until: nowMs,
    });
    return earlier ?? submitApplication(tx, site, anonymous, application, nowMs);
  });
}
