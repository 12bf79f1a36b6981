export { CSV_TYPE, csvAnswer, csvPages } from './csv.ts';
