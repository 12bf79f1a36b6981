import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { loginPage } from './sign-in-page.ts';

const notices = ['signed-out', 'password-set', 'address-confirmed'] as const;

export const showLogin = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/login',
  summary: 'Show the sign-in page',
  access: 'public',
  scope: null,
  query: Type.Object({
    next: Type.String({ default: '', maxLength: 2000 }),
    notice: Type.String({ default: '', maxLength: 40 }),
  }),
  response: Type.String(),
  handle: ({ site, request }, { next, notice }) =>
    loginPage(site, request, {
      next,
      login: '',
      notice: notices.find((one) => one === notice),
    }),
});
