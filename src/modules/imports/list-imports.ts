import Type from 'typebox';
import { listed, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters } from '../../kernel/declare/schemas.ts';
import { importList } from './import-rows.ts';
import { ImportSchema, toImport } from './import-wire.ts';

export const listImports = operation({
  method: 'GET',
  namespace: 'store',
  path: '/imports',
  summary: 'List imports from other systems',
  description: 'Newest first, those that were undone too.',
  access: 'plugin-admin',
  scope: 'manage',
  query: Type.Object(pageParameters),
  response: Type.Array(ImportSchema),
  headers: pageHeaders,
  handle: ({ db, site }, input) => listed(db, importList, {}, input, (row) => toImport(row, site)),
});
