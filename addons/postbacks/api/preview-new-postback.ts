import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { invalidPostbackUrl, requireUsableUrl } from '../postback/postback-url.ts';
import { PostbackFormat, PostbackMethod, PostbackUrl, requireMatch } from './postback-wire.ts';
import { PostbackPreviewSchema, previewOf } from './preview-wire.ts';

export const previewNewPostback = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks/preview',
  summary: 'The exact request of a postback that is not stored yet, for the last order',
  description:
    'Nothing is sent or stored. A URL that cannot be used is refused as when it is stored.',
  access: 'owner',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    { url: PostbackUrl, method: PostbackMethod, format: PostbackFormat },
    { $id: 'PreviewPostback' },
  ),
  example: {
    body: { url: 'https://tracker.example/postback', method: 'POST', format: 'json' },
    response: {
      method: 'POST',
      url: 'https://tracker.example/postback',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tributary-Postbacks/1',
        'webhook-id': 'evt_0_granted',
        'webhook-timestamp': '1770111000',
        'webhook-signature': 'v1,…',
      },
      body: '{"type":"order.granted","timestamp":"2026-02-03T08:30:00.000Z","id":"1042-12","data":{"status":"granted","order":1042}}',
    },
  },
  response: PostbackPreviewSchema,
  errors: [generalErrors.notFound, invalidPostbackUrl],
  // Resolves names over the network, which must not happen inside a transaction.
  permit: ({ db, caller }, { id }) => requireOwnAffiliate(db, caller, id),
  prepare: ({ url }, site) => requireUsableUrl(site, url),
  async handle({ db, site, caller, nowMs }, { id, ...given }) {
    await requireOwnAffiliate(db, caller, id);
    requireMatch(given);
    return previewOf(db, site, id, { ...given, secret: '' }, nowMs);
  },
});
