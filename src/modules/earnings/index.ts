export { payoutIds } from './statement/statement.ts';
