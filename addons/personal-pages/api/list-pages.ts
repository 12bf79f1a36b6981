import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { countPages, listPageRows } from '../page-rows.ts';
import { ListedPersonalPageSchema, toPage } from '../page-wire.ts';
import { pageStates } from '../tables.ts';

export const listPages = operation({
  method: 'GET',
  namespace: 'store',
  path: '/personal-pages',
  summary: 'List personal pages of affiliates',
  description:
    'Versions, the newest first: those that are shown, wait for the review or were declined.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    state: Type.Optional(StringEnum(pageStates, { description: 'Versions in this state.' })),
    ...pageParameters,
  }),
  response: Type.Array(ListedPersonalPageSchema),
  headers: pageHeaders,
  async handle({ db, site }, { state, ...page }) {
    return collection(page, await countPages(db, { state }), async (slice) =>
      (await listPageRows(db, { state }, slice)).map((row) => ({
        ...toPage(site, row),
        affiliate: row.display_name,
      })),
    );
  },
});
