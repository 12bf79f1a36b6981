import Type from 'typebox';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';

export const registrationsOpen = defineManagerSetting(
  'registrations.open',
  Type.Boolean(),
  true,
  'Whether people can apply to become affiliates.',
);

export const autoAccept = defineManagerSetting(
  'registrations.auto_accept',
  Type.Boolean(),
  false,
  'Whether applications are accepted at once.',
);

export const codeTemplate = defineManagerSetting(
  'registrations.code_template',
  Type.String({
    pattern: '^(?:[^\\s{}\\u0000-\\u001f\\u007f-\\u009f]|\\{login\\}|\\{percent\\}){1,50}$',
    description: 'Text with {login} and {percent} in it, without spaces.',
  }),
  '{login}{percent}',
  'How the coupon code of an accepted applicant is made who asked for none.',
);
