/** One payment of a file with results, as it is written there. */
export interface ResultLine {
  /** The number of the line after the header, from 1. */
  readonly line: number;
  readonly reference: string;
  readonly payoutId: number | undefined;
  readonly amount: string;
  /** Empty if the file has no such column. */
  readonly currency: string;
  readonly outcome: string;
  readonly isPaid: boolean;
  readonly transactionId: string;
}
