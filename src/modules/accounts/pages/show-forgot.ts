import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { renderPageOnce } from '../../web/index.ts';

export const showForgot = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/forgot',
  summary: 'Show the page for a forgotten password',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: ({ site, request }) => renderPageOnce(site, request, 'forgot', () => ({ email: '' })),
});
