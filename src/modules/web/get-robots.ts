import Type from 'typebox';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';

/** The pages of people who are signed in, links that count clicks, and the API have nothing for search engines. */
const ROBOTS = `User-agent: *
Disallow: /app
Disallow: /console
Disallow: /r/
Disallow: /setup
Disallow: /svc/
`;

export const getRobots = operation({
  method: 'GET',
  namespace: 'site',
  path: '/robots.txt',
  summary: 'Get the rules for search engines',
  access: 'public',
  scope: null,
  response: Type.String(),
  contentType: 'text/plain',
  handle: () =>
    new HttpResponse(ROBOTS, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
});
