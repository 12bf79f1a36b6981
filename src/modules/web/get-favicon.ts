import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { iconOf } from './get-icon.ts';

export const getFavicon = operation({
  method: 'GET',
  namespace: 'site',
  path: '/favicon.ico',
  summary: 'Get the icon for programs that do not read the pages',
  access: 'public',
  scope: null,
  response: Type.String(),
  contentType: 'image/svg+xml',
  handle: ({ site }) => iconOf(site),
});
