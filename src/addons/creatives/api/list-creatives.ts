import Type from 'typebox';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../../kernel/declare/schemas.ts';
import { countListed, listCreativeRows } from '../creative-rows.ts';
import { CreativeSchema, toCreatives } from '../creative-wire.ts';
import { creativeKinds } from '../tables.ts';

export const listCreatives = operation({
  method: 'GET',
  namespace: 'store',
  path: '/creatives',
  summary: 'List creatives',
  description: 'Newest first, with the clicks and orders of their links.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    kind: Type.Optional(StringEnum(creativeKinds, { description: 'Creatives of this kind.' })),
    category: Type.Optional(Type.String({ maxLength: 50, description: 'Of this category.' })),
    ...pageParameters,
  }),
  response: Type.Array(CreativeSchema),
  headers: pageHeaders,
  async handle({ db, site }, { kind, category, ...page }) {
    const filter = { kind, category };
    return collection(page, await countListed(db, filter), async (slice) =>
      toCreatives(db, site, await listCreativeRows(db, filter, slice)),
    );
  },
});
