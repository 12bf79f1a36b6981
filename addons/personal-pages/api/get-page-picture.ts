import Type from 'typebox';
import { isAdmin } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { fileResponse, filesUnavailable, findFiles } from '../../../src/modules/files/index.ts';
import { findPage } from '../page-rows.ts';

export const getPagePicture = operation({
  method: 'GET',
  namespace: 'store',
  path: '/personal-pages/{id}/picture',
  summary: 'Get the picture of a personal page',
  description:
    'For admins and the affiliate itself, in any state: the small picture that visitors see.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The version.') }),
  response: Type.String({ format: 'binary' }),
  contentType: 'image/webp',
  errors: [generalErrors.notFound, filesUnavailable],
  async handle({ db, site, caller }, { id }) {
    const page = await findPage(db, { id });
    const isOwn = page && (isAdmin(caller) || caller.person?.id === page.user_id);
    const [file] = isOwn && page.file_id !== null ? await findFiles(db, [page.file_id]) : [];
    if (!file) throw new ApiError(generalErrors.notFound);
    return fileResponse(site, file, 'small');
  },
});
