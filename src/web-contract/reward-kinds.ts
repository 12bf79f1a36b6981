/** The kinds that rules and bonuses choose from, in the order in which forms show them. */
export const whoKinds = ['groups', 'affiliates', 'coupons'] as const;
export const whatKinds = ['products', 'categories', 'tags'] as const;
export const customerKinds = ['any', 'first', 'repeat'] as const;
export const paymentKinds = ['any', 'first', 'renewal'] as const;
export const creditKinds = ['coupon', 'link', 'lifetime'] as const;
export const counterKinds = ['sales', 'orders', 'new_customers', 'commission'] as const;
export const countedKinds = ['granted', 'counted'] as const;
export const windowKinds = ['month', 'quarter', 'year', 'days', 'always'] as const;
