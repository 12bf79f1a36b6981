import Type from 'typebox';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { fileHeaders } from '../../../shared/file-name.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { siteLanguage, siteName } from '../../store-profile/index.ts';
import { findUser } from '../../users/index.ts';
import { printInThread } from './print-in-thread.ts';
import { periodOf, periodParameters } from './statement-period.ts';
import { Statement } from './statement.ts';

const PDF_TYPE = 'application/pdf';

export const printStatement = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/statement.pdf',
  summary: 'Statement of account as PDF',
  description:
    "The lines of `GET /affiliates/{id}/statement`, in the affiliate's language. The file contains letters of the " +
    'Latin, Greek and Cyrillic scripts; others are printed as empty boxes.',
  access: 'owner',
  scope: 'read',
  long: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...periodParameters }),
  contentType: PDF_TYPE,
  response: Type.String({ format: 'binary' }),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    const affiliate = await requireOwnAffiliate(db, caller, id);
    const statement = await Statement.open(db, site, id, periodOf(input, site, nowMs));
    const { period, opening, closing } = statement;
    const lines = await statement.allLines();
    const user = await findUser(db, id);
    const bytes = await printInThread({
      store: site.settings.get(siteName),
      affiliate: {
        name: affiliate.display_name,
        login: affiliate.login,
        email: affiliate.email,
      },
      period,
      opening,
      closing,
      lines,
      language: user?.language || site.settings.get(siteLanguage),
      currency: site.currency,
      timeZone: site.calendar.timeZone,
    });
    return HttpResponse.encoded<string>(bytes, {
      headers: fileHeaders(`statement-${period.from}-${period.to}.pdf`, PDF_TYPE),
    });
  },
});
