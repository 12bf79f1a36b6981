import type { Currency } from '../../../src/shared/money.ts';
import type { Details } from '../details/details-rows.ts';

/** One payment of a file. */
export interface Payment {
  readonly payoutId: number;
  /** Minor units. */
  readonly amount: number;
  /** The decrypted destination. */
  readonly details: Details;
  readonly name: string;
}

/** The account that pays, from the settings. */
export interface Debtor {
  readonly name: string;
  readonly iban: string;
  /** Empty if the bank does not need it. */
  readonly bic: string;
}

export interface FileRequest {
  readonly payments: readonly Payment[];
  readonly currency: Currency;
  readonly debtor: Debtor;
  /** Identifies the file at the bank: at most 35 letters, digits and hyphens. */
  readonly messageId: string;
  /** When the file is made: an ISO instant, and the day in the site's time zone. */
  readonly at: string;
  readonly day: string;
}

export interface PaymentFormat {
  /** The payout method whose destinations the file can hold. */
  readonly methodType: string;
  readonly extension: 'xml' | 'csv';
  readonly contentType: string;
  /** Why a destination cannot be in such a file; undefined if it can. */
  error(payment: Payment): string | undefined;
  write(request: FileRequest): string;
}

/** The reference by which a bank or a service names a payout in its results. */
export function referenceOf(payoutId: number): string {
  return `PAYOUT-${payoutId}`;
}

/** The payout of such a reference; undefined for any other text. */
export function payoutOfReference(reference: string): number | undefined {
  const digits = /^PAYOUT-(\d{1,15})$/i.exec(reference.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
