export type RowMaker = (values: unknown[]) => object;

/**
 * Generates a function that turns a row of these columns, which arrives as an array, into an object. This is a
 * third faster than the objects of the drivers (measured on SQLite), and their properties are faster to read.
 */
export function rowMaker(names: readonly string[]): RowMaker {
  const fields = names.map((name, i) => `${JSON.stringify(name)}:v[${i}]`);
  // The names are those of columns that this program declares, quoted by JSON.stringify. The text is a function
  // of one array, which the type of `Function` cannot express.
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('v', `return {${fields.join()}}`) as RowMaker;
}
