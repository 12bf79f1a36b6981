import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { cookieName } from '../sessions/index.ts';
import { appShell, entryOf, languageOf, signInFirst } from '../web/index.ts';

/** The screens below /app that are in one chunk. The build found the others, in the core and in add-ons. */
const furtherScreens = new Set(['rewards', 'orders', 'payout-details']);

export const showPortal = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app',
  summary: 'Show the portal',
  access: 'public',
  scope: null,
  otherStatus: 303,
  response: Type.String(),
  handle: ({ site, request }) => portal(site, request),
});

export const showPortalScreen = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/{screen}',
  summary: 'Show a screen of the portal',
  access: 'public',
  scope: null,
  params: Type.Object({ screen: Type.String() }),
  otherStatus: 303,
  response: Type.String(),
  handle({ site, request }, { screen }) {
    const isKnown = furtherScreens.has(screen) || Object.hasOwn(entryOf('portal').screens!, screen);
    if (!isKnown) throw new ApiError(generalErrors.noRoute);
    return portal(site, request, screen);
  },
});

/** Without a session cookie the visitor is sent to the sign-in page. */
function portal(site: Site, request: RequestFacts, screen?: string): HttpResponse<string> {
  if (request.cookie(cookieName(request.secure)) === undefined) {
    return signInFirst(request, screen === undefined ? '/app' : `/app/${screen}`);
  }
  const language = languageOf(site, request);
  const entry = entryOf('portal');
  const early = [entry.words![language]!];
  if (screen !== undefined) {
    const own = entry.screenWords![screen]?.[language];
    early.push(...(own === undefined ? [] : [own]), ...(entry.screens![screen] ?? entry.further!));
  }
  return appShell(site, { entry, language, early });
}
