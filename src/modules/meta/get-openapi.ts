import Type from 'typebox';
import { openApiText } from '../../kernel/openapi.ts';
import { Answer, operation, type Namespace } from '../../kernel/operation.ts';
import { defineSetting } from '../../kernel/setting.ts';

export const openApiPublic = defineSetting(
  'api.openapi_public',
  Type.Boolean(),
  true,
  'Whether anyone may read the OpenAPI documents and the API reference; otherwise only admins.',
);

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export const getOpenApi = describeNamespace('v2');
export const getStoreOpenApi = describeNamespace('store');

function describeNamespace(namespace: Namespace) {
  return operation({
    method: 'GET',
    namespace,
    path: '/openapi',
    summary: 'OpenAPI document',
    description: 'Generated for each request from the routes that are active.',
    access: 'public',
    publicUnless: (site) => !site.settings.get(openApiPublic),
    scope: null,
    response: Type.Object(
      { openapi: Type.String() },
      { additionalProperties: true, description: 'An OpenAPI 3.1 document.' },
    ),
    handle: ({ site }) => new Answer(openApiText(site, namespace), { headers: JSON_TYPE }),
  });
}
