import type { AffiliateSystem } from '../../../shared/affiliate-systems.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import type { Currency } from '../../../shared/money.ts';
import type { Item, RateName } from './model.ts';
import type { Row } from './row.ts';

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
  /** Its rates exclude each other: beside a percentage no amount is earned. */
  readonly isOneRate?: true;
  /** The most specific first: a file has the first shape whose columns it has. */
  readonly files: readonly FileShape[];
}

/** What the reading of files needs to know of the site. */
export interface PlanContext {
  readonly currency: Currency;
  readonly calendar: SiteCalendar;
  readonly nowMs: number;
  /** What the store pays here where no rule applies. */
  readonly storeRates?: readonly RateName[];
}
