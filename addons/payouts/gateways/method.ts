import type { Static, TObject } from 'typebox';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Gateway } from '../extension.ts';

/** The last characters, by which the owner recognises an account: `…4321`. Short texts show fewer. */
export function lastOf(text: string): string {
  return `…${text.slice(text.length < 8 ? -2 : -4)}`;
}

/** A payout method: what a destination consists of, and the gateway that pays to it. */
export interface PayoutMethod {
  /** The identifier: `banktransfer`. */
  readonly type: string;
  /** The display name: `Bank transfer`. */
  readonly label: string;
  /** The schema of a destination. */
  readonly details: TObject;
  /** Shortens a destination so that its owner recognises it but nothing can be paid to it: `DE…4321`. */
  mask(details: Record<string, unknown>): string;
  /** Undefined if payments are made by hand, or if the gateway is not set up. */
  gateway(site: Site): Gateway | undefined;
}

/** Types stored details. The cast is safe because details are stored only after a check against this schema. */
export function detailsOf<T extends TObject>(
  _schema: T,
  details: Record<string, unknown>,
): Static<T> {
  return details as Static<T>;
}
