import Type from 'typebox';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { pageParameters } from '../../kernel/declare/schemas.ts';
import { countImports, listImportRows } from './import-rows.ts';
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
  async handle({ db, site }, input) {
    return collection(input, await countImports(db, {}), async (slice) =>
      (await listImportRows(db, {}, slice)).map((row) => toImport(row, site)),
    );
  },
});
