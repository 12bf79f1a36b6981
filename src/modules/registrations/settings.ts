import Type from 'typebox';
import { defineSetting } from '../../kernel/setting.ts';

export const registrationsOpen = defineSetting(
  'registrations.open',
  Type.Boolean(),
  true,
  'Whether people can apply to become affiliates.',
);

export const autoAccept = defineSetting(
  'registrations.auto_accept',
  Type.Boolean(),
  false,
  'Whether applications are accepted at once.',
);

export const codeTemplate = defineSetting(
  'registrations.code_template',
  Type.String({
    pattern: '^(?:[^\\s{}\\u0000-\\u001f\\u007f-\\u009f]|\\{login\\}|\\{percent\\}){1,50}$',
    description: 'Text with {login} and {percent} in it, without spaces.',
  }),
  '{login}{percent}',
  'How the coupon code of an accepted applicant is made who asked for none.',
);
