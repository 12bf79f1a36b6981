import type { Caller } from '../declare/caller.ts';
import { ApiError, defineError } from '../declare/errors.ts';
import type { Operation } from '../declare/operation.ts';
import type { Site } from '../declare/site.ts';

/** How long a proof lasts. A sign-in is one. */
export const PROOF_LASTS_MS = 10 * 60_000;

export const proofRequired = defineError(
  'svc_api_proof_required',
  403,
  'Prove that it is you with POST /session/proof: the last proof is older than ten minutes.',
);

/**
 * For changes that a thief of an open browser would make: money, addresses, second factors, keys. A
 * session must have proved within ten minutes who its user is. Keys and application passwords are
 * secrets that their programs send with each request, so they pass.
 */
export function requireProof(caller: Caller, nowMs: number): void {
  if (!caller.session || caller.session.msSinceProof(nowMs) < PROOF_LASTS_MS) return;
  throw new ApiError(proofRequired);
}

/** What the declaration of an operation demands: see its `proof`. */
export function requireDeclaredProof(
  { proof }: Operation,
  caller: Caller,
  site: Site,
  input: Record<string, unknown>,
): void {
  const isAsked = typeof proof === 'function' ? proof(input, site, caller) : proof === true;
  if (isAsked) requireProof(caller, site.clock());
}
