import type { HttpResponse } from '../../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { PageProps } from '../../../web-contract/page-props.ts';
import { offersPasskeys } from '../../two-factor/index.ts';
import { renderPage } from '../../web/index.ts';
import { signInByLink } from '../settings.ts';
import { ownPath } from './form.ts';

/** Forms of these pages say where they come from; other sites learn nothing. */
const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };

type LoginProps = Omit<PageProps['login'], 'hasPasskeys' | 'hasLinks'>;

export function loginPage(
  site: Site,
  request: RequestFacts,
  props: LoginProps,
  status = 200,
): Promise<HttpResponse<string>> {
  const next = ownPath(site, props.next);
  const hasLinks = site.settings.get(signInByLink);
  const all = { ...props, next, hasPasskeys: offersPasskeys(site), hasLinks };
  return renderPage(site, request, 'login', all, { status, headers, script: 'login' });
}

export function secondStepPage(
  site: Site,
  request: RequestFacts,
  props: PageProps['second-step'],
): Promise<HttpResponse<string>> {
  // Without a wrong code it is no failure, and must not count as one.
  const status = props.error ? 401 : 200;
  const all = { ...props, next: ownPath(site, props.next) };
  return renderPage(site, request, 'second-step', all, { status, headers, script: 'login' });
}
