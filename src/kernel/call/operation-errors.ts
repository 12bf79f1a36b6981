import type { TSchema } from 'typebox';
import { generalErrors, type ErrorDefinition } from '../declare/errors.ts';
import type { Operation } from '../declare/operation.ts';
import type { Registry } from '../declare/registry.ts';
import { idempotencyMismatch, takesIdempotencyKey } from './idempotency-key.ts';
import { bodyOf } from './input-readers.ts';
import { proofRequired } from './proof.ts';

/** All errors that an operation may respond with: by its contract, its access and its own rules. */
export function errorsOf(operation: Operation, registry: Registry): ErrorDefinition[] {
  const e = generalErrors;
  const body = bodyOf(operation, registry);
  const parts = [operation.params, operation.query, body].filter((part) => part !== undefined);
  const keyed = takesIdempotencyKey(operation);
  const demands = [operation.query, body].some((part) =>
    part?.required?.some((name) => isRequired(part.properties[name]!, true)),
  );
  // The server parses a body before the route decides whether the operation has one.
  const readsBody = operation.method !== 'GET';
  const changes =
    operation.method !== 'GET' ||
    operation.refresh !== undefined ||
    operation.recordsReader === true;
  const byAffiliates = !['admin', 'plugin-admin'].includes(operation.access);
  return [
    ...new Set([
      ...(parts.length > 0 || keyed ? [e.invalidParam] : []),
      ...(demands ? [e.missingParam] : []),
      ...(readsBody ? [e.invalidJson, e.payloadTooLarge, e.unsupportedMediaType] : []),
      e.unauthorized,
      ...registry.modules.flatMap((m) => m.credentials ?? []).map((kind) => kind.refusal),
      e.httpsRequired,
      e.forbidden,
      ...(operation.beforeSecondFactor || operation.access === 'public' || operation.guard
        ? []
        : [e.secondFactorSetupRequired]),
      ...(operation.scope ? [e.insufficientScope] : []),
      ...(changes ? [e.csrfRequired, e.crossSite, e.viewOnly] : []),
      ...(changes && byAffiliates && !operation.whileSuspended ? [e.suspended] : []),
      ...(operation.proof ? [proofRequired] : []),
      ...(operation.namespace === 'site' ? [e.wrongNamespace] : []),
      ...(operation.params ? [e.noRoute] : []),
      ...(operation.errors ?? []),
      ...(keyed ? [idempotencyMismatch] : []),
      e.rateLimited,
      e.lockedOut,
      e.serverError,
      e.notWritable,
    ]),
  ];
}

/** Whether a request must contain a parameter: TypeBox lists one with a default as required too. */
export function isRequired(property: TSchema, listed: boolean): boolean {
  // `TSchema` does not declare annotations.
  return listed && (property as { default?: unknown }).default === undefined;
}
