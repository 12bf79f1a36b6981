import Type from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageStyleSheet, styleSheet } from '../../kernel/present/html-page.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

export const getStylesheet = operation({
  method: 'GET',
  namespace: 'site',
  path: '/page.css',
  summary: 'Get the style sheet of the pages',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: ({ site }) => rendered(site, 'stylesheet', pageStyleSheet),
});

export const getReferenceStylesheet = operation({
  method: 'GET',
  namespace: 'site',
  path: '/docs.css',
  summary: 'Get the style sheet of the API reference',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle: ({ site }) => rendered(site, 'reference stylesheet', () => styleSheet(REFERENCE_STYLE)),
});
