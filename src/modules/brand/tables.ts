/**
 * The current logo and the picture of the program page, each in at most one row. Their names are the values of the
 * settings `brand.logo` and `program.picture`.
 */
export interface BrandLogosTable {
  /** With a hash of the content: `logo-0123456789abcdef.svg`, `picture-0123456789abcdef.jpg`. */
  name: string;
  /** The file in base64. */
  content: string;
  width: number;
  height: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    brand_logos: BrandLogosTable;
  }
}
