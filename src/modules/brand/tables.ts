/** The current logo, in at most one row. Its name is the value of the setting `brand.logo`. */
export interface BrandLogosTable {
  /** With a hash of the content: `logo-0123456789abcdef.svg`. */
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
