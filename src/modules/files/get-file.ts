import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { endingOf } from '../../shared/file-name.ts';
import { filesUnavailable } from './file-error.ts';
import { fileResponse } from './file-response.ts';
import { findByKey } from './file-rows.ts';

const ADDRESS = /^([0-9a-f]{40})(-small)?\.([a-z0-9]{3,4})$/;

export const getFile = operation({
  method: 'GET',
  namespace: 'site',
  path: '/files/{file}',
  summary: 'Get a public file',
  access: 'public',
  scope: null,
  // Images are shown on pages with many of them.
  unlimited: true,
  params: Type.Object({ file: Type.String() }),
  response: Type.String({ format: 'binary' }),
  contentType: 'image/png',
  errors: [generalErrors.notFound, filesUnavailable],
  async handle({ db, site }, { file }) {
    const [, key, small, extension] = ADDRESS.exec(file) ?? [];
    const row = key === undefined ? undefined : await findByKey(db, { key });
    const isAddress =
      row?.access === 'public' &&
      (small ? row.small_bytes > 0 && extension === 'webp' : extension === endingOf(row.type));
    if (!isAddress) throw new ApiError(generalErrors.notFound);
    return fileResponse(site, row, small ? 'small' : 'whole');
  },
});
