import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Connector } from './connector.ts';
import { http } from './http/connector.ts';
import { shopify } from './shopify/connector.ts';
import { stripe } from './stripe/connector.ts';
import { woocommerce } from './woocommerce/connector.ts';

/** The built-in kinds of stores. */
const builtIn: readonly Connector[] = [woocommerce, shopify, stripe, http];

/** All kinds: the built-in ones, then those of extensions. */
export function connectorsOf({ extensions }: Pick<Site, 'extensions'>): readonly Connector[] {
  return [...builtIn, ...extensions.all.flatMap(({ connectors }) => connectors ?? [])];
}

/** Undefined if the extension that brought the kind is no longer loaded. */
export function findConnector(site: Pick<Site, 'extensions'>, kind: string): Connector | undefined {
  return connectorsOf(site).find((connector) => connector.kind === kind);
}
