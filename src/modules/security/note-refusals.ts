import type { Job } from '../../kernel/declare/job.ts';
import type { RefusedCall } from '../../kernel/declare/module.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { refusalsOf } from './refusals.ts';
import { accessRefused, signInFailed } from './security-events.ts';

/** Writes outside of the request, so that refused requests cause no commits. */
export const writeRefusals: Job = {
  name: 'security.write-refusals',
  everyMs: 5_000,
  runsOn: 'each',
  atStop: true,
  run: (site) => refusalsOf(site).write(),
};

/** `login` only distinguishes attempts. It is not stored, because users type passwords there by mistake. */
export function noteFailedSignIn(
  site: Site,
  attempt: { login: string; userId: number; network: string },
): void {
  const { login, userId, network } = attempt;
  const nowMs = site.clock();
  refusalsOf(site).note(`sign-in ${userId || login} ${network}`, (tx) =>
    emit(tx, signInFailed, {
      objectId: userId,
      userId: 0,
      info: 'A sign-in failed.',
      data: { user_id: userId },
      nowMs,
    }),
  );
}

export function noteRefusedAccess(site: Site, { caller, operation, code }: RefusedCall): void {
  const userId = caller.person?.id ?? 0;
  const keyId = caller.keyId ?? 0;
  const { method, url: route } = operation;
  const nowMs = site.clock();
  refusalsOf(site).note(`access ${userId} ${keyId} ${method} ${route}`, (tx) =>
    emit(tx, accessRefused, {
      objectId: keyId,
      userId,
      info: `${method} ${route} was refused.`,
      data: { user_id: userId, key_id: keyId, method, route, code },
      nowMs,
    }),
  );
}
