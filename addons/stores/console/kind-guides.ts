import type { TeamGuide } from '../../../src/web-contract/guides.ts';

const guides: Readonly<Record<string, TeamGuide>> = {
  woocommerce: 'woocommerce',
  shopify: 'shopify',
  stripe: 'stripe',
  http: 'http-store',
};

/** The guide that explains how such a store is connected. Extensions bring kinds that have none. */
export const guideOfKind = (kind: string): TeamGuide | undefined => guides[kind];
