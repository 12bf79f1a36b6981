import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { recentByCreative } from '../../../src/modules/reports/index.ts';
import { countListed, listCreativeRows } from '../creative-rows.ts';
import { ListedCreativeSchema, toCreatives } from '../creative-wire.ts';
import { creativeKinds } from '../tables.ts';

export const listCreatives = operation({
  method: 'GET',
  namespace: 'store',
  path: '/creatives',
  summary: 'List creatives',
  description: 'Newest first, with the clicks and orders of their links in the last 30 days.',
  access: 'admin',
  scope: 'read',
  long: true,
  query: Type.Object({
    kind: Type.Optional(StringEnum(creativeKinds, { description: 'Creatives of this kind.' })),
    category: Type.Optional(Type.String({ maxLength: 50, description: 'Of this category.' })),
    ...pageParameters,
  }),
  response: Type.Array(ListedCreativeSchema),
  headers: pageHeaders,
  async handle({ db, site, nowMs }, { kind, category, ...page }) {
    const filter = { kind, category };
    return collection(page, await countListed(db, filter), async (slice) => {
      const creatives = await toCreatives(db, site, await listCreativeRows(db, filter, slice));
      const figures = await recentByCreative(db, site, nowMs);
      return creatives.map((creative) => {
        const { clicks = 0, orders = 0 } = figures.get(creative.id) ?? {};
        return { ...creative, clicks, orders };
      });
    });
  },
});
