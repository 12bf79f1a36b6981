import Type from 'typebox';
import { DisplayName, newUserFields } from '../users/index.ts';

/** What the form and the API ask of an applicant, with the same rules. */
export const applicantFields = {
  ...newUserFields,
  display_name: DisplayName,
};

export const applicationFields = {
  coupon_code: Type.String({
    default: '',
    pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]{0,50}$',
    description: 'The coupon code wished for: at most 50 characters, without spaces.',
  }),
  promote: Type.String({
    default: '',
    maxLength: 5000,
    description: 'How the applicant wants to promote the store.',
  }),
  referrer: Type.String({
    default: '',
    maxLength: 500,
    description: 'Where the applicant heard of the program.',
  }),
  website: Type.String({
    default: '',
    maxLength: 2048,
    pattern: '^(https?://[^\\s"<>]+)?$',
    description: 'An address that begins with https:// or http://.',
  }),
};

/** People do not see this field of the form; programs that fill in whatever they find do. */
export const trapField = Type.String({
  default: '',
  maxLength: 2048,
  description: 'Leave this empty.',
});
