import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../../../../src/kernel/declare/errors.ts';
import { HttpResponse } from '../../../../../src/kernel/declare/http-response.ts';
import { operation } from '../../../../../src/kernel/declare/operation.ts';
import { Id } from '../../../../../src/kernel/declare/schemas.ts';
import { codeParametersOf, cookieDays } from '../../../../../src/modules/clicks/index.ts';
import { fileHeaders } from '../../../../../src/shared/file-name.ts';
import {
  kindNotLoaded,
  requireConnection,
  requireConnector,
} from '../../../connections/require-connection.ts';

const ZIP_TYPE = 'application/zip';
/** The first day that the format knows, so that the same files are the same archive. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

export const noPlugin = defineError(
  'svc_api_store_no_plugin',
  404,
  'There is no plugin for this kind of store.',
);

export const getPlugin = operation({
  method: 'GET',
  namespace: 'store',
  path: '/connections/{id}/plugin',
  summary: 'Get the plugin that remembers links in the store',
  description:
    'A ZIP file for WooCommerce: in WordPress, Plugins, Add New, Upload. It writes the last referral link of the ' +
    'attribution window into each order. It contains `attribution.parameter`, `attribution.code_parameters` and ' +
    '`attribution.cookie_days`, so install it again after a change of these, and no secret.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The connection.') }),
  contentType: ZIP_TYPE,
  response: Type.String({ format: 'binary' }),
  errors: [generalErrors.notFound, noPlugin, kindNotLoaded],
  async handle({ db, site }, { id }) {
    const connector = requireConnector(site, await requireConnection(db, id));
    if (!connector.plugin) throw new ApiError(noPlugin);
    const { name, files } = connector.plugin({
      codeParameters: codeParametersOf(site),
      days: site.settings.get(cookieDays),
    });
    return HttpResponse.encoded<string>(await archiveOf(files), {
      headers: fileHeaders(`${name}.zip`, ZIP_TYPE),
    });
  },
});

async function archiveOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const { strToU8, zipSync } = await import('fflate');
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: ARCHIVE_DATE }));
}
