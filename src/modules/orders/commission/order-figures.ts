/** The input of a commission. Amounts are minor units of the order's currency. */
export interface OrderFigures {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly tax: number;
  readonly fees: number;
  readonly total: number;
  readonly items: readonly Line[];
  readonly refunds: readonly Refund[];
}

export interface Line {
  readonly productId: string;
  /** Those of its translations, compared like categories. */
  readonly otherIds: readonly (string | number)[];
  /** The categories and tags of the product, as the store sent them: a rule compares them as texts. */
  readonly categories: readonly (string | number)[];
  readonly tags: readonly (string | number)[];
  readonly quantity: number;
  /** Before and after discount. */
  readonly subtotal: number;
  readonly total: number;
}

export interface Refund {
  readonly amount: number;
  /** The parts of the amount besides the goods; 0 if the store does not send them. */
  readonly shipping: number;
  readonly tax: number;
  readonly fees: number;
  readonly items: readonly { productId: string; quantity: number; total: number }[];
}
