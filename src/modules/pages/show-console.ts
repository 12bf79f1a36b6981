import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { cookieName } from '../sessions/index.ts';
import {
  appShell,
  entryOf,
  hasScreen,
  languageOf,
  shownScreens,
  signInFirst,
} from '../web/index.ts';

/**
 * The screens that the build found, in the core and in add-ons, and those of extensions. The overview has no name in its
 * address.
 */
function assertKnown(site: Site, screen: string): void {
  const isBuilt = /^[\w-]+$/.test(screen) && Object.hasOwn(entryOf('console').screens!, screen);
  const isKnown = isBuilt ? screen !== 'overview' : hasScreen(site, screen);
  if (!isKnown) throw new ApiError(generalErrors.noRoute);
}

export const showConsole = operation({
  method: 'GET',
  namespace: 'site',
  path: '/console',
  summary: 'Show the console',
  access: 'public',
  scope: null,
  otherStatus: 303,
  response: Type.String(),
  handle: ({ site, request }) => page(site, request, '/console', 'overview'),
});

export const showConsoleScreen = operation({
  method: 'GET',
  namespace: 'site',
  path: '/console/{screen}',
  summary: 'Show a screen of the console',
  access: 'public',
  scope: null,
  params: Type.Object({ screen: Type.String() }),
  otherStatus: 303,
  response: Type.String(),
  handle({ site, request }, { screen }) {
    assertKnown(site, screen);
    return page(site, request, `/console/${screen}`, screen);
  },
});

export const showConsoleDetail = operation({
  method: 'GET',
  namespace: 'site',
  path: '/console/{screen}/{id}',
  summary: 'Show one object on a screen of the console',
  access: 'public',
  scope: null,
  params: Type.Object({ screen: Type.String(), id: Type.String() }),
  otherStatus: 303,
  response: Type.String(),
  handle({ site, request }, { screen, id }) {
    assertKnown(site, screen);
    const path = `/console/${screen}/${encodeURIComponent(id)}`;
    return page(site, request, path, `${screen}/detail`);
  },
});

/** The page is public and contains no data. The script sends people who are not of the team to the portal. */
function page(
  site: Site,
  request: RequestFacts,
  path: string,
  screen: string,
): HttpResponse<string> {
  if (request.cookie(cookieName(request.secure)) === undefined) return signInFirst(request, path);
  const entry = entryOf('console');
  const wanted = languageOf(site, request);
  const language = entry.words![wanted] ? wanted : 'en';
  const own = entry.screenWords![screen]?.[language];
  const early = [
    entry.words![language]!,
    ...(own === undefined ? [] : [own]),
    ...(entry.screens?.[screen] ?? []),
  ];
  return appShell(site, { entry, language, early, screens: shownScreens(site) });
}
