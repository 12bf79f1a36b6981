import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../../../kernel/declare/http-response.ts';
import { operation } from '../../../../../kernel/declare/operation.ts';
import { Id } from '../../../../../kernel/declare/schemas.ts';
import { codeParametersOf, cookieDays } from '../../../../../modules/clicks/index.ts';
import { fileHeaders } from '../../../../../shared/file-name.ts';
import { zipOf } from '../../../../../shared/zip.ts';
import {
  kindNotLoaded,
  requireConnection,
  requireConnector,
} from '../../../connections/require-connection.ts';

const ZIP_TYPE = 'application/zip';

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
    return HttpResponse.encoded<string>(zipOf(files), {
      headers: fileHeaders(`${name}.zip`, ZIP_TYPE),
    });
  },
});
