import Type from 'typebox';
import { DisplayName, newUserFields } from '../users/index.ts';

/** Fields that the form and the API share, so that both apply the same rules. */
/** All fields at their longest, in a form. */
export const APPLICATION_BYTES_MAX = 256 * 1024;

export const applicantFields = {
  ...newUserFields,
  display_name: DisplayName,
};

export const applicationFields = {
  coupon_code: Type.String({
    default: '',
    pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]{0,50}$',
    description: 'The coupon code the applicant would like: at most 50 characters, no spaces.',
  }),
  promote: Type.String({
    default: '',
    maxLength: 5000,
    description: 'How the applicant wants to promote the store.',
  }),
  referrer: Type.String({
    default: '',
    maxLength: 500,
    description: 'How the applicant found the program.',
  }),
  website: Type.String({
    default: '',
    maxLength: 2048,
    pattern: '^(https?://[^\\s"<>]+)?$',
    description: 'A URL that starts with https:// or http://.',
  }),
};

/** Honeypot: people do not see this field of the form, but bots that fill in every field do. */
export const trapField = Type.String({
  default: '',
  maxLength: 2048,
  description: 'Leave this empty.',
});
