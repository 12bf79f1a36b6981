import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { fileResponse, filesUnavailable, findFiles } from '../../../src/modules/files/index.ts';
import { findFileInThread } from '../message-rows.ts';

export const getMessageFile = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/messages/files/{file_id}',
  summary: 'Get a file of a message',
  description: 'For admins and the affiliate itself.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.'), file_id: Id('The file.') }),
  query: Type.Object({
    small: Type.Optional(Type.Boolean({ description: 'True: the small picture of an image.' })),
  }),
  response: Type.String({ format: 'binary' }),
  contentType: 'application/octet-stream',
  errors: [generalErrors.notFound, filesUnavailable],
  async handle({ db, site, caller }, { id, file_id, small = false }) {
    await requireOwnAffiliate(db, caller, id);
    const isSent = await findFileInThread(db, { user_id: id, file_id });
    const [file] = isSent ? await findFiles(db, [file_id]) : [];
    if (!file || (small && file.small_bytes === 0)) throw new ApiError(generalErrors.notFound);
    return fileResponse(site, file, small ? 'small' : 'whole');
  },
});
