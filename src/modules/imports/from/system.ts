import type { Item } from './model.ts';
import type { Row } from './row.ts';
import type { AffiliateSystem } from '../../../shared/affiliate-systems.ts';

/** One kind of file that a system exports. */
export interface FileShape {
  readonly name: string;
  /**
   * The columns that identify such a file, as they are written there; `|` separates other names of the same column.
   * They are compared without case and punctuation, in any order.
   */
  readonly needs: readonly string[];
  /** Maps one row; pure. Throws a `RowError` for a value that cannot be understood. */
  read(row: Row): Item[];
}

/** The manifest of a system that affiliates can be moved from. */
export interface System {
  readonly name: AffiliateSystem;
  /** As people know it. */
  readonly title: string;
  /** The parameter of its links, which must be one of the store's own for them to keep working. */
  readonly linkParameter: string;
  /** The most specific first: a file has the first shape whose columns it has. */
  readonly files: readonly FileShape[];
}
