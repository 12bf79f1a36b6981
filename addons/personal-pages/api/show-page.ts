import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { withTag } from '../../../src/kernel/cache/rendered-page.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { HttpResponse } from '../../../src/kernel/declare/http-response.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { referralUrl } from '../../../src/modules/coupons/index.ts';
import { findFiles, smallPicture } from '../../../src/modules/files/index.ts';
import { renderPage } from '../../../src/modules/web/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import { pageOfCode } from '../own-page.ts';

export const showPage = operation({
  method: 'GET',
  namespace: 'site',
  path: '/with/{code}',
  summary: 'Show the personal page of an affiliate',
  description:
    'Its link leads through `/r/{code}` to the store, with the other parameters of the address, such as `campaign` ' +
    'and `sub1`. A code whose affiliate has no page leads there directly.',
  access: 'public',
  scope: null,
  params: Type.Object({ code: Type.String() }),
  otherStatus: 302,
  response: Type.String(),
  headers: { ETag: 'Send it as If-None-Match to get 304 if nothing has changed.' },
  errors: [generalErrors.notFound],
  async handle({ db, site, request }, { code }) {
    const { coupon, page } = await pageOfCode(db, site, code);
    const link = linkOf(site, coupon.code, request.search);
    if (!page) return leadOn(link);
    const { name, text } = page;
    const picture = await pictureOf(db, coupon.code, page.file_id);
    const language = languages.find((one) => one === page.language);
    const props = { code: coupon.code, name, text, language, picture, link };
    return withTag(await renderPage(site, request, 'personal-page', props));
  },
});

/** Length when encoded. What is longer is no campaign. */
const PARAMETERS_LENGTH_MAX = 2_000;

/** The referral link of the code, with the parameters of the address. Its host is ours or that of the store, always. */
function linkOf(site: Site, code: string, search: string): string {
  const link = new URL(referralUrl(site, code));
  const given = new URLSearchParams(search);
  given.delete('lang');
  if (given.toString().length > PARAMETERS_LENGTH_MAX) return link.href;
  for (const [name, value] of given) {
    if (!link.searchParams.has(name)) link.searchParams.append(name, value);
  }
  return link.href;
}

function leadOn(link: string): HttpResponse<string> {
  return new HttpResponse('', {
    status: 302,
    headers: {
      Location: link,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  });
}

async function pictureOf(db: Reader, code: string, fileId: number | null) {
  const [file] = fileId === null ? [] : await findFiles(db, [fileId]);
  // Another picture has another address.
  return file && smallPicture(file, `/with/${encodeURIComponent(code)}/picture?v=${file.id}`);
}
