/** The service that a program talks to. */
export interface Service {
  /** The address of the API v2. */
  readonly v2: string;
  /** The address of the store API. */
  readonly store: string;
  /** With the credentials of an administrator. */
  readonly headers: Record<string, string>;
}

/** What came of it, for the test to look at. */
export interface Outcome {
  /** The id of the coupon that was created. */
  readonly created: number;
  /** The ids of all coupons that are there, read page by page. */
  readonly listed: readonly number[];
  /** The code of the refusal of a coupon that does not exist. */
  readonly notFound: string;
  /** The parameters that were refused, with the reason. */
  readonly refused: Record<string, string>;
  /** The order that was stored, with its commission. */
  readonly commission: number | undefined;
}
