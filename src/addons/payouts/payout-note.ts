/** The note of a ledger entry of a payout. Statements read the id from it: entries of earlier versions have it, too. */
export function payoutNote(payoutId: number, change: string): string {
  return `Payout ${payoutId}: ${change}`;
}

/** The id in such a note; null for any other note. */
export function payoutIdIn(note: string): number | null {
  const digits = /^Payout (\d{1,15}):/.exec(note)?.[1];
  return digits === undefined ? null : Number(digits);
}
