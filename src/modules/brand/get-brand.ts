import { operation } from '../../kernel/declare/operation.ts';
import { BrandSchema, toBrand } from './brand-wire.ts';

export const getBrand = operation({
  method: 'GET',
  namespace: 'store',
  path: '/brand',
  summary: 'Get the name, logo and colour of the store',
  description:
    'Name, word and colour are the settings site.name, site.affiliate_word and brand.accent. The colour ' +
    'is made darker for light pages and lighter for dark ones until text can be read.',
  access: 'public',
  scope: null,
  response: BrandSchema,
  handle: ({ db, site }) => toBrand(db, site),
});
