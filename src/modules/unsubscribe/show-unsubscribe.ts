import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { readUnsubscribeToken } from '../mail/index.ts';
import { renderPage } from '../web/index.ts';

/** The link is for one person, and other pages must not learn it. */
export const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

export const tokenParams = Type.Object({
  token: Type.String({ maxLength: 300, description: 'The token of the link in the email.' }),
});

export const showUnsubscribe = operation({
  method: 'GET',
  namespace: 'site',
  path: '/unsubscribe/{token}',
  summary: 'Show the page to unsubscribe',
  description: 'Changes nothing: email programs and virus scanners open links too.',
  access: 'public',
  scope: null,
  params: tokenParams,
  otherStatus: 404,
  response: Type.String(),
  async handle({ site, request }, { token }) {
    if (readUnsubscribeToken(site, token)) {
      return renderPage(site, request, 'unsubscribe', { token, isDone: false }, { headers });
    }
    return renderPage(site, request, 'unsubscribe-unknown', {}, { status: 404, headers });
  },
});
