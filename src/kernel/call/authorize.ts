import { hasScope, isAdmin, isPluginAdmin, type Caller } from '../declare/caller.ts';
import { ApiError, generalErrors } from '../declare/errors.ts';
import type { Operation, RequestFacts } from '../declare/operation.ts';
import { sameSecret } from '../../shared/secrets.ts';
import type { Site } from '../declare/site.ts';

/**
 * May this caller call this operation? The one place that decides, for every operation, from the
 * operation's own `access` and `scope`. Called in this order:
 *
 *   requireCaller    401  before the parameters are looked at
 *   (parameters)     400
 *   requirePermission 403  CSRF and other sites; on admin routes the role, then the scope; elsewhere the
 *                          scope; then whether a suspended affiliate would change something
 *   (operation)      404  ownership: "not yours" and "does not exist" are the same
 */
export function requireCaller(operation: Operation, caller: Caller, site: Site): void {
  if (caller.kind === 'anonymous' && accessOf(operation, site) !== 'public') {
    throw new ApiError(generalErrors.unauthorized);
  }
}

export function requirePermission(
  operation: Operation,
  caller: Caller,
  site: Site,
  input: Record<string, unknown>,
  request: Pick<RequestFacts, 'csrfHeader' | 'fromOtherOrigin'>,
): void {
  const refreshes = operation.refresh !== undefined && input[operation.refresh.parameter] === true;
  const changes = operation.method !== 'GET' || refreshes;
  if (changes) refuseOtherSites(caller, request);
  requireAccess(operation, caller, site, refreshes);
  if (changes && caller.suspended && !isAdmin(caller) && !operation.whileSuspended) {
    throw new ApiError(generalErrors.suspended);
  }
}

function requireAccess(operation: Operation, caller: Caller, site: Site, refreshes: boolean): void {
  const access = accessOf(operation, site);
  if (access === 'public') return;
  if (access === 'admin' && !isAdmin(caller)) throw new ApiError(generalErrors.forbidden);
  if (access === 'plugin-admin' && !isPluginAdmin(caller)) {
    throw new ApiError(generalErrors.forbidden);
  }
  if (!hasScope(caller, operation.scope)) throw scopeMissing(operation.scope!);
  if (refreshes && !hasScope(caller, operation.refresh!.scope)) {
    throw scopeMissing(operation.refresh!.scope);
  }
}

/** A public operation may be restricted to admins by a setting. */
export function accessOf(operation: Operation, site: Site): Operation['access'] {
  return operation.publicUnless?.(site) ? 'admin' : operation.access;
}

/**
 * Browsers add a session's cookie, and a password given for Basic, to requests that other sites
 * cause. The first must carry its CSRF token; the second must not come from another site's page.
 */
function refuseOtherSites(
  caller: Caller,
  request: Pick<RequestFacts, 'csrfHeader' | 'fromOtherOrigin'>,
): void {
  if (caller.csrfToken !== null) requireCsrf(caller.csrfToken, request.csrfHeader);
  if (caller.method === 'application_password' && request.fromOtherOrigin) {
    throw new ApiError(generalErrors.crossSite);
  }
}

function requireCsrf(token: string, header: string | undefined): void {
  if (header === undefined || !sameSecret(header, token)) {
    throw new ApiError(generalErrors.csrfRequired);
  }
}

function scopeMissing(scope: string): ApiError {
  return new ApiError(generalErrors.insufficientScope, {
    message: `This needs an API key with the scope "${scope}".`,
  });
}
