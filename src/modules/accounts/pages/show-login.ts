import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { renderPage } from '../../web/index.ts';
import { ownPath } from './form.ts';

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
    renderPage(
      site,
      request,
      'login',
      {
        next: ownPath(site, next),
        login: '',
        notice: notices.find((one) => one === notice),
      },
      { headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' } },
    ),
});
