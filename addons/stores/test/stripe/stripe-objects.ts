/** An object of Stripe; references to others are ids. */
export type StripeObject = Record<string, any>;

export interface Sale {
  readonly session: StripeObject;
  readonly payment: StripeObject;
  readonly charge: StripeObject;
}

export interface Terms {
  code?: string | undefined;
  ref?: string | undefined;
  /** Cents. */
  amount?: number;
  currency?: string;
  metadata?: Record<string, string>;
  email?: string;
}
