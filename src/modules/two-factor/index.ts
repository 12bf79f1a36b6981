export { offersPasskeys } from './passkeys/relying-party.ts';
export { eraseSecondFactors, removeSecondFactors } from './remove-second-factors.ts';
export { twoFactorOf, TwoFactorSchema, usersWithFactor } from './two-factor-state.ts';
