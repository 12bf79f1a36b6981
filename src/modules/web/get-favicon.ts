import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { currentLogo } from '../brand/index.ts';
import { iconOf } from './get-icon.ts';

export const getFavicon = operation({
  method: 'GET',
  namespace: 'site',
  path: '/favicon.ico',
  summary: 'Get the icon for programs that do not read the pages',
  description: 'The logo of the store, if it has one.',
  access: 'public',
  scope: null,
  response: Type.String({ format: 'binary' }),
  contentType: 'image/svg+xml',
  handle: async ({ db, site }) => (await currentLogo(db, site)) ?? iconOf(site),
});
