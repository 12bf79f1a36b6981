import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { scriptOfScreen } from './extension-screens.ts';

export const getScreenScript = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/screens/{file}',
  summary: 'Get the script of a screen of an extension',
  access: 'public',
  scope: null,
  params: Type.Object({ file: Type.String() }),
  response: Type.String(),
  contentType: 'text/javascript',
  handle({ site }, { file }) {
    const bytes = scriptOfScreen(site, file);
    if (!bytes) throw new ApiError(generalErrors.noRoute);
    return HttpResponse.encoded<string>(bytes, {
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
  },
});
