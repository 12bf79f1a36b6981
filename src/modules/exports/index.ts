export { CSV_TYPE, csvResponse, toCsv } from './csv.ts';
