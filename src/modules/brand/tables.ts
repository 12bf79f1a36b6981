import { shortInteger, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  /**
   * The current logo and the picture of the program page, each in at most one row. Their names are the values of the
   * settings `brand.logo` and `program.picture`.
   */
  brand_logos: table({
    /** With a hash of the content: `logo-0123456789abcdef.svg`, `picture-0123456789abcdef.jpg`. */
    name: text().key(),
    /** The file in base64. */
    content: text(),
    width: shortInteger(),
    height: shortInteger(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
