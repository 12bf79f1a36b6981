import type { HttpResponse } from '../../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { PASSWORD_LENGTH_MIN } from '../../users/index.ts';
import { renderPage } from '../../web/index.ts';
import type { OpenedLink } from '../account-link.ts';
import type { LinkPurpose } from '../tables.ts';
import { secretHeaders } from './form.ts';

export interface LinkPage {
  readonly purpose: LinkPurpose;
  readonly path: string;
}

interface LinkState {
  token: string;
  opened: OpenedLink;
  error?: 'length' | 'common' | 'personal' | 'pattern' | 'wait' | 'failed';
  status?: number;
}

/** The form of a link that works. */
export function linkForm(
  site: Site,
  request: RequestFacts,
  { purpose }: LinkPage,
  { token, opened: { user, link }, error, status = 200 }: LinkState,
): Promise<HttpResponse<string>> {
  const options = { status, headers: secretHeaders };
  if (purpose === 'email') {
    return renderPage(site, request, 'confirm-email', { token, email: link.data }, options);
  }
  if (purpose === 'sign-in') {
    const props = { token, name: user.display_name };
    return renderPage(site, request, 'sign-in-link', props, options);
  }
  const props = { kind: purpose, token, login: user.login, minimum: PASSWORD_LENGTH_MIN, error };
  return renderPage(site, request, 'choose-password', props, options);
}

/** The page of a link that was used, was replaced, has expired or never existed. */
export function linkOver(
  site: Site,
  request: RequestFacts,
  { purpose }: LinkPage,
): Promise<HttpResponse<string>> {
  const options = { status: 410, headers: secretHeaders };
  return renderPage(site, request, 'link-over', { purpose }, options);
}
