import Type from 'typebox';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { PROOF_LASTS_MS } from '../../kernel/call/proof.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import { LocalTime } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { noteFailedSignIn } from '../security/index.ts';
import { findUser, PASSWORD_LENGTH_MAX, passwordsBusy, type UserRow } from '../users/index.ts';
import { isPassword } from './check-password.ts';
import { proofMethods } from './proof-methods.ts';
import { saveProof } from './session-rows.ts';
import { beginAttempt } from './sign-in-delay.ts';

/** Its code differs from that of an expired session, after which a client asks for a sign-in. */
export const wrongProof = defineError(
  'svc_api_wrong_password',
  401,
  'The password or the code is wrong.',
);

export const proveSession = operation({
  method: 'POST',
  namespace: 'site',
  path: '/session/proof',
  summary: 'Prove again who you are',
  description:
    'Changes that matter most, such as payout details, are refused with svc_api_proof_required if the last ' +
    'proof of the session is older than ten minutes. A sign-in is a proof. Send one of the parameters.',
  access: 'user',
  scope: null,
  beforeSecondFactor: true,
  whileSuspended: true,
  body: Type.Object(
    {
      password: Type.Optional(Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX })),
      code: Type.Optional(
        Type.String({ minLength: 1, maxLength: 40, description: 'A code of the second factor.' }),
      ),
      passkey: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The response of the browser to the options of a passkey.',
        }),
      ),
    },
    { examples: [{ password: 'nine quiet lanterns' }] },
  ),
  response: Type.Object(
    { proved_until: LocalTime('Until when the proof lasts.') },
    { $id: 'SessionProof', examples: [{ proved_until: '2026-02-11T16:30:00' }] },
  ),
  errors: [wrongProof, generalErrors.forbidden, passwordsBusy],
  signsIn: true,
  // Verifying a password is slow, so it runs before the transaction.
  transaction: false,
  async handle({ db, site, caller, request }, proof) {
    if (!caller.session || !caller.person) throw new ApiError(generalErrors.forbidden);
    const { tokenHash } = caller.session;
    const user = (await findUser(db, caller.person.id))!;
    if (!(await isProof(site, user, caller, proof, request))) throw new ApiError(wrongProof);
    // A correct proof is refused too if parallel wrong ones have caused a lock-out.
    request.requireStillThere();
    const nowMs = site.clock();
    await site.database.transaction(async (tx) => {
      await saveProof(tx, { token_hash: tokenHash, proved_at: nowMs });
      // Sessions are cached with the time of their proof.
      tx.afterCommitEverywhere(() => site.invalidateCaches());
    });
    return { proved_until: site.calendar.toLocal(nowMs + PROOF_LASTS_MS) };
  },
});

interface Proof {
  password?: string;
  code?: string;
  passkey?: Record<string, unknown>;
}

async function isProof(
  site: Site,
  user: UserRow,
  caller: Caller,
  { password, ...others }: Proof,
  request: RequestFacts,
): Promise<boolean> {
  if (password !== undefined) {
    return isPassword(site, { user, password, caller }, request);
  }
  for (const { parameter, verify } of site.registry.contributions(proofMethods)) {
    const value = others[parameter];
    if (value === undefined) continue;
    const attempter = { user, login: user.login, caller, isSecondStep: true };
    const attempt = await beginAttempt(site, attempter, request);
    if (await verify({ site, user, value, request })) {
      await attempt.succeed();
      return true;
    }
    noteFailedSignIn(site, { login: user.login, userId: user.id, network: request.network });
    return false;
  }
  throw invalidParameter('password', 'is required, or another proof.');
}
