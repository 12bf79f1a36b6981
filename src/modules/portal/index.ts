export { payoutMinimum } from './get-program.ts';
