import { creating } from '../../db/create-tables.ts';
import type { Job } from '../../kernel/declare/job.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { accountsGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { mails } from '../mail/index.ts';
import { proofMethods, secondFactors } from '../sessions/index.ts';
import { findUser } from '../users/index.ts';
import { confirmTotp, noTotpSetup, wrongCode } from './confirm-totp.ts';
import { addPasskey, passkeyRefused, tooManyPasskeys } from './passkeys/add-passkey.ts';
import { correctChallenges, removeExpiredChallenges } from './passkeys/challenge-rows.ts';
import { listPasskeys } from './passkeys/list-passkeys.ts';
import { offerPasskey } from './passkeys/offer-passkey.ts';
import { offerSignIn } from './passkeys/offer-sign-in.ts';
import { passkeysUnavailable } from './passkeys/relying-party.ts';
import { removePasskey } from './passkeys/remove-passkey.ts';
import { renamePasskey } from './passkeys/rename-passkey.ts';
import { verifyAssertion } from './passkeys/verify-passkey.ts';
import { removeTotp } from './remove-totp.ts';
import { noSecondFactor, renewRecoveryCodes } from './renew-recovery-codes.ts';
import { codeProof, passkeyProof } from './second-steps.ts';
import { setUpTotp, totpExists } from './set-up-totp.ts';
import { requireEffect } from './setting-effects.ts';
import { requireOfAdministrators } from './settings.ts';
import { tables } from './tables.ts';
import { correctSteps } from './totp-rows.ts';
import { twoFactorUpdated } from './two-factor-events.ts';
import { twoFactorMail } from './two-factor-mail.ts';
import { methodsOf } from './two-factor-state.ts';

const pruneChallenges: Job = {
  name: 'two-factor.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: ({ database, clock }) => removeExpiredChallenges(database, { now: clock() }),
};

export const twoFactorModule = defineModule({
  name: 'two-factor',
  summary: 'Second factors: authenticator apps, recovery codes and passkeys',
  addon: false,
  operations: [
    setUpTotp,
    confirmTotp,
    removeTotp,
    renewRecoveryCodes,
    listPasskeys,
    offerPasskey,
    addPasskey,
    renamePasskey,
    removePasskey,
    offerSignIn,
  ],
  events: [twoFactorUpdated],
  settings: inGroup(accountsGroup, {
    'Require two factors of administrators': requireOfAdministrators,
  }),
  errors: [
    totpExists,
    wrongCode,
    noTotpSetup,
    noSecondFactor,
    passkeyRefused,
    tooManyPasskeys,
    passkeysUnavailable,
  ],
  jobs: [pruneChallenges],
  migrations: [creating('two-factor/0001-baseline', tables)],
  async correctInstants(site, nowMs) {
    await correctChallenges(site, nowMs);
    await correctSteps(site, nowMs);
  },
  contributions: [
    contribute(settingEffects, requireEffect),
    contribute(mails, twoFactorMail),
    contribute(proofMethods, codeProof),
    contribute(proofMethods, passkeyProof),
    contribute(secondFactors, {
      methodsOf,
      isRequiredOfAdministrators: ({ settings }) => settings.get(requireOfAdministrators),
      async userOfPasskey(site, response) {
        const passkey = await verifyAssertion(site, response);
        return passkey && findUser(site.database.read, passkey.user_id);
      },
    }),
  ],
});
