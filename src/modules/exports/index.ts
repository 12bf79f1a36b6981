export { CSV_TYPE, csvResponse } from './csv.ts';
