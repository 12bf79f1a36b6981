import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { requirePostback } from '../postback/postback-rows.ts';
import { decryptSecret } from '../postback/secret.ts';
import { postbackParams } from './postback-wire.ts';
import { PostbackPreviewSchema, previewOf } from './preview-wire.ts';

export const previewPostback = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks/{postback_id}/preview',
  summary: 'The exact request of a postback for the last order',
  description: 'Nothing is sent.',
  access: 'owner',
  scope: 'write',
  params: postbackParams,
  response: PostbackPreviewSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, postback_id }) {
    await requireOwnAffiliate(db, caller, id);
    const postback = await requirePostback(db, id, postback_id);
    const secret = decryptSecret(site, postback);
    return previewOf(db, site, id, { ...postback, secret }, nowMs);
  },
});
