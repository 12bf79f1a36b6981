import { sameSecret } from '../../shared/secrets.ts';
import { hasScope, isAdmin, isPluginAdmin, type Caller } from '../declare/caller.ts';
import { ApiError, generalErrors } from '../declare/errors.ts';
import type { Operation, RequestFacts } from '../declare/operation.ts';
import type { Site } from '../declare/site.ts';
import { requireDeclaredProof } from './proof.ts';

/**
 * This file decides for every operation whether the caller may call it, by the operation's `access` and
 * `scope`. The checks of a request run in this order:
 *
 *   requireCaller     401  before the parameters are read
 *   (parameters)      400
 *   requirePermission 403  CSRF and cross-site requests; changes by a page that only shows; a second factor to set
 *                          up; the role on admin routes; the scope; changes by suspended affiliates; a recent proof
 *   (operation)       404  ownership: a record of another user responds like a missing one
 */
export function requireCaller(
  operation: Operation,
  caller: Caller,
  site: Site,
  isLarge = false,
): void {
  if (caller.kind === 'anonymous' && accessOf(operation, site) !== 'public') {
    throw new ApiError(generalErrors.unauthorized);
  }
  // A body that others must not send is not even read.
  if (isLarge && (operation.bodyBytesMax ?? operation.upload))
    requireAccess(operation, caller, site);
}

export function requirePermission(
  operation: Operation,
  caller: Caller,
  site: Site,
  input: Record<string, unknown>,
  request: Pick<RequestFacts, 'csrfHeader' | 'fromOtherOrigin' | 'viewAs'>,
): void {
  const refreshes = operation.refresh !== undefined && input[operation.refresh.parameter] === true;
  const changes = operation.method !== 'GET' || refreshes || operation.recordsReader === true;
  if (changes) refuseOtherSites(caller, request);
  if (changes && request.viewAs !== undefined) throw new ApiError(generalErrors.viewOnly);
  if (caller.session?.awaitsSecondFactor && !isOpenBeforeSecondFactor(operation, site)) {
    throw new ApiError(generalErrors.secondFactorSetupRequired);
  }
  requireAccess(operation, caller, site);
  if (refreshes && !hasScope(caller, operation.refresh!.scope)) {
    throw scopeMissing(operation.refresh!.scope);
  }
  if (changes && caller.suspended && !isAdmin(caller) && !operation.whileSuspended) {
    throw new ApiError(generalErrors.suspended);
  }
  requireDeclaredProof(operation, caller, site, input);
}

/** The role and the scope. */
function requireAccess(operation: Operation, caller: Caller, site: Site): void {
  const access = accessOf(operation, site);
  if (access === 'public') return;
  if (access === 'admin' && !isAdmin(caller)) throw new ApiError(generalErrors.forbidden);
  if (access === 'plugin-admin' && !isPluginAdmin(caller)) {
    throw new ApiError(generalErrors.forbidden);
  }
  if (!hasScope(caller, operation.scope)) throw scopeMissing(operation.scope!);
}

function isOpenBeforeSecondFactor(operation: Operation, site: Site): boolean {
  return operation.beforeSecondFactor === true || accessOf(operation, site) === 'public';
}

/** The effective access: a setting may restrict a public operation to admins. */
export function accessOf(operation: Operation, site: Site): Operation['access'] {
  return operation.publicUnless?.(site) ? 'admin' : operation.access;
}

/**
 * Browsers add session cookies and cached Basic credentials to requests that other sites cause. A
 * session must therefore send its CSRF token, and an application password must not come from a page of
 * another origin.
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
