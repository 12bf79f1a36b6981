import Type from 'typebox';
import { operation } from '../../kernel/operation.ts';
import { stylesheet } from '../../kernel/page.ts';
import { rendered } from '../../kernel/rendered.ts';

export const getStylesheet = operation({
  method: 'GET',
  namespace: 'site',
  path: '/page.css',
  summary: 'The style of the plain pages',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: ({ site }) => rendered(site, 'stylesheet', stylesheet),
});
