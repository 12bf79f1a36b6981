import Type, { type Static } from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation, type Namespace } from '../../kernel/declare/operation.ts';
import { defineSetting } from '../../kernel/declare/setting.ts';
import { openApiText } from '../../kernel/present/openapi/document.ts';

export const openApiPublic = defineSetting(
  'api.openapi_public',
  Type.Boolean(),
  true,
  'The OpenAPI documents and the API reference are public; otherwise only admins can read them.',
);

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

const OpenApiSchema = Type.Object(
  {
    openapi: Type.Literal('3.1.0'),
    info: Type.Object(
      { title: Type.String(), version: Type.String() },
      { additionalProperties: true },
    ),
    paths: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The operations, by path and method.',
    }),
    components: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Shared schemas, responses, headers and security schemes.',
    }),
  },
  {
    $id: 'OpenApiDocument',
    additionalProperties: true,
    description: 'An OpenAPI 3.1 document.',
    examples: [
      {
        openapi: '3.1.0',
        info: { title: 'Tributary affiliate program API', version: '2.0.0' },
        paths: {},
        components: {},
      },
    ],
  },
);
type OpenApi = Static<typeof OpenApiSchema>;

export const getOpenApi = describeNamespace('v2');
export const getStoreOpenApi = describeNamespace('store');

function describeNamespace(namespace: Namespace) {
  return operation({
    method: 'GET',
    namespace,
    path: '/openapi',
    summary: 'Get the OpenAPI document',
    description: 'Generated from the active routes. The ETag changes when they do.',
    access: 'public',
    publicUnless: (site) => !site.settings.get(openApiPublic),
    scope: null,
    response: OpenApiSchema,
    headers: { ETag: 'Send it as If-None-Match to get 304 if nothing has changed.' },
    handle: ({ site }) =>
      rendered(site, `openapi ${namespace}`, () =>
        HttpResponse.encoded<OpenApi>(openApiText(site, namespace), { headers: JSON_TYPE }),
      ),
  });
}
