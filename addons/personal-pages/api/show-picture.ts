import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { HttpResponse } from '../../../src/kernel/declare/http-response.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { fileResponse, filesUnavailable, findFiles } from '../../../src/modules/files/index.ts';
import { pageOfCode } from '../own-page.ts';

/** The picture has no address of its own, which would stay open when the page is not shown any longer. */
export const showPicture = operation({
  method: 'GET',
  namespace: 'site',
  path: '/with/{code}/picture',
  summary: 'Show the picture of a personal page',
  description:
    'While visitors see the page: not of a suspended affiliate, nor while pages are off.',
  access: 'public',
  scope: null,
  params: Type.Object({ code: Type.String() }),
  query: Type.Object({
    v: Type.Integer({
      description: 'The file: a picture that was replaced is gone.',
      examples: [7],
    }),
  }),
  response: Type.String({ format: 'binary' }),
  contentType: 'image/webp',
  errors: [generalErrors.notFound, filesUnavailable],
  async handle({ db, site }, { code, v }) {
    const { page } = await pageOfCode(db, site, code);
    const [file] = page?.file_id === v ? await findFiles(db, [v]) : [];
    if (!file) throw new ApiError(generalErrors.notFound);
    const { body, headers } = await fileResponse(site, file, 'small');
    return HttpResponse.encoded<string>(body, {
      headers: { ...headers, 'Cache-Control': 'private, max-age=300' },
    });
  },
});
