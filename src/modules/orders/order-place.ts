/** The place of an order among others: by the time when it was placed, then by its number. */
export interface Place {
  placed_at: number;
  order_id: number;
}

export function byPlace(a: Place, b: Place): number {
  return a.placed_at - b.placed_at || a.order_id - b.order_id;
}
