import Type from 'typebox';
import { invalidParameter, invalidParameters } from '../../../src/kernel/call/parameters.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Connector } from '../connectors/connector.ts';
import { connectorsOf } from '../connectors/connectors.ts';
import { ownHost } from './store-identity.ts';

const VALUE_LENGTH_MAX = 1_000;
const URL_LENGTH_MAX = 2_048;
const NAME_LENGTH_MAX = 100;
/** How long two secrets may be accepted at most. */
export const OVERLAP_HOURS_MAX = 168;

export const ConnectionName = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH_MAX,
  description: 'A label of your choice. Without one, the host of the store.',
});

export const Replace = Type.Boolean({
  default: false,
  description: 'Takes over the connection that the same store has already, with its orders.',
});

export const Another = Type.Boolean({
  default: false,
  description:
    'Connects the store as a store of its own although another one at the same address is connected. Orders that both ' +
    'have are refused.',
});

/** The two answers to the question whether a store is the one that is connected. */
export function checkAnswer({ replace, another }: { replace: boolean; another: boolean }): void {
  if (replace && another) {
    throw invalidParameter(
      'another',
      'cannot be combined with replace: the store is the same or another one',
    );
  }
}

export const Credentials = Type.Record(
  Type.String({ maxLength: 50 }),
  Type.String({ maxLength: VALUE_LENGTH_MAX }),
  {
    maxProperties: 20,
    description:
      "Access to the store's API; which values depends on the kind. Without them the connection only receives.",
  },
);

export const WebhookSecret = Type.String({
  minLength: 8,
  maxLength: 500,
  pattern: '^[!-~]+$',
  description: 'The secret that signs deliveries, for a kind of store that makes it itself.',
});

export function requireKind(site: Site, kind: string): Connector {
  const all = connectorsOf(site);
  const connector = all.find((one) => one.kind === kind);
  if (connector) return connector;
  throw invalidParameter('kind', `must be one of ${all.map((one) => one.kind).join(', ')}`);
}

/** The store's base address; what the owner typed if the kind needs none. */
export function readUrl({ normalizeUrl }: Connector, typed: string): string {
  if (typed.length > URL_LENGTH_MAX) throw invalidParameter('url', 'is too long');
  if (!normalizeUrl) return typed;
  try {
    return normalizeUrl(typed);
  } catch (error) {
    // Connectors throw a sentence.
    throw invalidParameter('url', (error as Error).message);
  }
}

/** What a connection is called that was not given a name. */
export function nameOf(connector: Connector, url: string): string {
  return ownHost(connector, url)?.slice(0, NAME_LENGTH_MAX) ?? connector.label;
}

/** Which credentials give access together, the usual set first; none for a kind without an API. */
export function credentialSetsOf({ credentials, credentialSets }: Connector): readonly string[][] {
  if (credentialSets) return credentialSets.map((names) => [...names]);
  const required = credentials.filter((field) => field.required).map(({ name }) => name);
  return credentials.length === 0 ? [] : [required];
}

/** Refuses unknown, missing and malformed values; an empty object means none. */
export function checkCredentials(
  connector: Connector,
  given: Readonly<Record<string, string>>,
): void {
  const { credentials: fields } = connector;
  const names = Object.keys(given);
  if (names.length === 0) return;
  const errors: Record<string, string> = {};
  for (const name of names) {
    if (!fields.some((field) => field.name === name)) {
      errors[`credentials.${name}`] = 'is not known to this kind of store';
    }
  }
  for (const name of missingIn(credentialSetsOf(connector), given)) {
    errors[`credentials.${name}`] = 'is missing';
  }
  for (const { name, pattern } of fields) {
    const value = given[name] ?? '';
    if (value !== '' && pattern !== undefined && !new RegExp(pattern).test(value)) {
      errors[`credentials.${name}`] = 'does not look like this value';
    }
  }
  if (Object.keys(errors).length > 0) throw invalidParameters(errors);
}

/** What the set lacks of which most is given. */
function missingIn(sets: readonly string[][], given: Readonly<Record<string, string>>): string[] {
  const lacking = sets.map((names) => names.filter((name) => (given[name] ?? '') === ''));
  return lacking.toSorted((a, b) => a.length - b.length)[0] ?? [];
}
