export type ReferralState = 'awaiting' | 'granted' | 'void';

/** Who sends the order, and when. */
export interface Sending {
  readonly actorId: number;
  readonly nowMs: number;
}
