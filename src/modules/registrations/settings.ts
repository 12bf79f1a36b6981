import Type from 'typebox';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';

export const registrationsOpen = defineManagerSetting(
  'registrations.open',
  Type.Boolean(),
  true,
  'The program accepts applications.',
);

export const autoAccept = defineManagerSetting(
  'registrations.auto_accept',
  Type.Boolean(),
  false,
  'Applications are accepted automatically.',
);

export const codeTemplate = defineManagerSetting(
  'registrations.code_template',
  Type.String({
    pattern:
      '^(?:[^\\s{}\\u0000-\\u001f\\u007f-\\u009f]|\\{login\\}|\\{percent\\}|\\{random\\}){1,50}$',
    description:
      'May contain {random} (eight letters and digits), {percent} and {login}, which then is public; no spaces.',
  }),
  '{random}',
  'Coupon code for accepted applicants who did not ask for one.',
);
