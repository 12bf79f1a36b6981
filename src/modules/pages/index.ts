export { payoutMinimum } from './get-program.ts';
export { payoutTerms } from './program-terms.ts';
