import { isFunction, type ExtensionHook } from '../../src/kernel/declare/extension.ts';
import type { Connector } from './connectors/connector.ts';

export type * from './connectors/connector.ts';

declare module '../../src/kernel/declare/extension.ts' {
  interface Extension {
    /** Further kinds of stores. */
    connectors?: readonly Connector[];
  }
}

/** The kind is part of addresses. */
const KIND = /^[a-z][a-z0-9-]{0,30}$/;

export const storeHooks: readonly ExtensionHook[] = [
  {
    name: 'connectors',
    expected:
      'be a list of objects with kind, label, credentials, headersKept, verify, toOrder and exampleDelivery',
    isValid: isListOfConnectors,
  },
];

function isListOfConnectors(connectors: unknown): boolean {
  return (
    Array.isArray(connectors) &&
    connectors.every(
      (connector: Partial<Connector> | null) =>
        typeof connector?.kind === 'string' &&
        KIND.test(connector.kind) &&
        typeof connector.label === 'string' &&
        Array.isArray(connector.credentials) &&
        Array.isArray(connector.headersKept) &&
        isFunction(connector.verify) &&
        isFunction(connector.toOrder) &&
        isFunction(connector.exampleDelivery),
    )
  );
}
