export { twoFactorOf, TwoFactorSchema, usersWithFactor } from './two-factor-state.ts';
