export { eraseSecondFactors, removeSecondFactors } from './remove-second-factors.ts';
export { twoFactorOf, TwoFactorSchema, usersWithFactor } from './two-factor-state.ts';
