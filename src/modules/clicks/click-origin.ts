import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** Where a click came from, as the visitor's browser says. Clicks themselves store none of it. */
export interface ClickOrigin {
  /** The URL of the page with the link; may be empty or anything else. */
  readonly referrer: string;
  /** The query of the landing address, without its question mark. */
  readonly search: string;
  /** The network of the visitor; undefined if a store sends the click. */
  readonly network?: string | undefined;
}

export interface RecordedClick {
  readonly id: number;
  readonly couponId: number;
}

/** Keeps what an add-on needs of it, with the transaction that records the click. */
export type KeepOrigin = (
  tx: Transaction,
  site: Site,
  click: RecordedClick,
  origin: ClickOrigin,
) => void;

export const clickOrigins = new Point<KeepOrigin>('clicks.origins');

export const keepOrigin: KeepOrigin = (tx, site, click, origin) => {
  for (const keep of site.registry.contributions(clickOrigins)) keep(tx, site, click, origin);
};
