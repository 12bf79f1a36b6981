export { payoutTerms } from './program-terms.ts';
