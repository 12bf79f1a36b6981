export { CSV_TYPE, csvResponse, inColumns, toCsv } from './csv.ts';
