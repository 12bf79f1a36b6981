import Type, { type Static } from 'typebox';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { storeUrl } from '../../../src/modules/store-profile/index.ts';
import type { Connector } from '../connectors/connector.ts';
import { connectorsOf } from '../connectors/connectors.ts';
import { credentialSetsOf, readUrl } from './connection-input.ts';

const KindSchema = Type.Object({
  kind: Type.String({ description: 'The name on the wire, such as `woocommerce`.' }),
  label: Type.String({ description: 'The name for people.' }),
  needs_url: Type.Boolean({ description: 'True if the address of the store is required.' }),
  credentials: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name of the value in `credentials`.' }),
      label: Type.String({ description: 'The name for people.' }),
      help: Type.String({ description: 'Where the value is in the store.' }),
      required: Type.Boolean({ description: 'True if it is needed with every set of values.' }),
      pattern: Nullable(
        Type.String({ description: 'A regular expression that its whole value matches.' }),
      ),
    }),
    { description: "What gives access to the store's API; empty for a kind without an API." },
  ),
  credential_sets: Type.Array(Type.Array(Type.String()), {
    description: 'The names of values that give access together, the usual set first.',
  }),
  suggested_url: Nullable(
    Type.String({
      description: 'The address in the settings, if a store of this kind may have it.',
    }),
  ),
  can_approve: Type.Boolean({
    description: 'True if an owner can approve access in the store itself, without keys.',
  }),
  store_makes_secret: Type.Boolean({
    description: 'True if the secret that signs deliveries comes from the store.',
  }),
  has_plugin: Type.Boolean({
    description:
      'True if `GET /connections/{id}/plugin` has a plugin that remembers links in the store.',
  }),
});

export const listKinds = operation({
  method: 'GET',
  namespace: 'store',
  path: '/connection-kinds',
  summary: 'List the kinds of stores that can be connected',
  description: 'The built-in kinds, then those of extensions, with what each of them asks for.',
  access: 'admin',
  scope: 'read',
  response: Type.Object(
    { kinds: Type.Array(KindSchema) },
    {
      $id: 'StoreKinds',
      examples: [
        {
          kinds: [
            {
              kind: 'woocommerce',
              label: 'WooCommerce',
              needs_url: true,
              credentials: [
                {
                  name: 'consumer_key',
                  label: 'Consumer key',
                  help: 'WooCommerce, Settings, Advanced, REST API, Add key.',
                  required: true,
                  pattern: '^ck_[A-Za-z0-9]{10,100}$',
                },
              ],
              credential_sets: [['consumer_key']],
              suggested_url: 'https://alpine.example',
              can_approve: true,
              store_makes_secret: false,
              has_plugin: true,
            },
          ],
        },
      ],
    },
  ),
  handle: ({ site }) => ({ kinds: connectorsOf(site).map((connector) => toKind(connector, site)) }),
});

function toKind(connector: Connector, site: Site): Static<typeof KindSchema> {
  const { kind, label, credentials, approval, storeMakesSecret, plugin } = connector;
  return {
    kind,
    label,
    needs_url: isUrlNeeded(connector),
    credentials: credentials.map(({ name, label: title, help, required, pattern }) => ({
      name,
      label: title,
      help,
      required,
      pattern: pattern ?? null,
    })),
    credential_sets: [...credentialSetsOf(connector)],
    suggested_url: suggestedUrl(connector, site),
    // A store sends its keys over HTTPS only.
    can_approve: approval !== undefined && site.publicUrl.startsWith('https://'),
    store_makes_secret: storeMakesSecret === true,
    has_plugin: plugin !== undefined,
  };
}

function suggestedUrl(connector: Connector, { settings }: Site): string | null {
  const url = settings.get(storeUrl);
  if (url === storeUrl.default || !isUrlNeeded(connector)) return null;
  try {
    return readUrl(connector, url);
  } catch {
    return null;
  }
}

/** Some kinds have the same address for every store. */
function isUrlNeeded({ normalizeUrl }: Connector): boolean {
  try {
    normalizeUrl?.('');
    return false;
  } catch {
    return true;
  }
}
