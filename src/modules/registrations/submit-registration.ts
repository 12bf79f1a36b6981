import Type from 'typebox';
import type { Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { userExists } from '../users/index.ts';
import { APPLICATION_BYTES_MAX, applicantFields, applicationFields } from './application-input.ts';
import {
  alreadyApplied,
  registrationsClosed,
  requireOpen,
  submitApplication,
  type Application,
} from './application.ts';
import { answerErrors, answerReasons } from './own-fields.ts';
import { RegistrationSchema, toRegistration } from './registration-wire.ts';

const { login, email, display_name } = applicantFields;

export const submitRegistration = operation({
  method: 'POST',
  namespace: 'store',
  path: '/registrations',
  bodyBytesMax: APPLICATION_BYTES_MAX,
  summary: 'Apply to become an affiliate',
  description:
    'A signed-in user applies for itself; login, email, display_name and language are then ignored. Otherwise ' +
    'login and email are required.',
  access: 'public',
  scope: null,
  body: Type.Object(
    {
      login: Type.Optional(login),
      email: Type.Optional(email),
      display_name: Type.Optional(display_name),
      language: Type.Optional(
        StringEnum(languages, {
          description:
            'The language of emails to the applicant. Default: the language of the site.',
        }),
      ),
      ...applicationFields,
      type: Type.String({
        default: '',
        maxLength: 50,
        description: 'The kind of affiliate. Any text of your choice.',
      }),
      custom_fields: Type.Record(
        Type.String({ pattern: '^.{1,100}$' }),
        Type.String({ maxLength: 1000 }),
        {
          default: {},
          maxProperties: 20,
          additionalProperties: false,
          description:
            'Up to 20 additional fields: names up to 100 characters, values up to 1,000. Fields that the setting ' +
            '`registrations.fields` declares are checked; others are stored as they are.',
        },
      ),
    },
    {
      $id: 'SubmitRegistration',
      examples: [{ login: 'ann', email: 'ann@example.com', display_name: 'Ann' }],
    },
  ),
  example: {
    body: {
      login: 'maya',
      email: 'maya@example.com',
      display_name: 'Maya Ortiz',
      coupon_code: 'MAYA10',
      promote: 'Reviews of outdoor gear on my blog',
      website: 'https://maya.example',
    },
    response: { status: 'pending', referrer: '', message: '', date_accepted: null },
  },
  check({ custom_fields = {} }, errors, site) {
    for (const [name, error] of Object.entries(answerErrors(site, custom_fields))) {
      errors.add(`custom_fields.${name}`, answerReasons[error]);
    }
  },
  status: 201,
  response: RegistrationSchema,
  errors: [generalErrors.missingParam, registrationsClosed, userExists, alreadyApplied],
  async handle({ db, site, caller, nowMs }, input) {
    requireOpen(site);
    const { coupon_code, promote, referrer, website, type, custom_fields } = input;
    const application = {
      applicant: applicantFrom(input, caller),
      coupon_code,
      promote,
      referrer,
      website,
      type,
      custom_fields,
    };
    const row = await submitApplication(db, site, caller, application, nowMs);
    return toRegistration(row, site, caller);
  },
});

type Given = { [K in 'login' | 'email' | 'display_name']?: string } & { language?: Language };

function applicantFrom(given: Given, { person }: Caller): Application['applicant'] {
  if (person) {
    const { login: name, email: address, displayName } = person;
    return { login: name, email: address, display_name: displayName, language: '' };
  }
  const missing = (['login', 'email'] as const).filter((name) => given[name] === undefined);
  if (missing.length > 0) {
    throw new ApiError(generalErrors.missingParam, {
      message: `Missing parameter(s): ${missing.join(', ')}`,
      data: { params: missing },
    });
  }
  const name = given.login!;
  return {
    login: name,
    email: given.email!,
    display_name: given.display_name ?? name,
    language: given.language ?? '',
  };
}
