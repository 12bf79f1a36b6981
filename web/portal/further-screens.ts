/**
 * All screens but the first, in one chunk: each alone would be many small files. The profile, which is the largest and
 * rarely opened, is apart.
 */
export { Links } from './links/links.tsx';
export { MoneyScreen } from './money/money-screen.tsx';
export { Orders } from './orders/orders.tsx';
export { Outsider } from './outsider.tsx';
export { PayoutDetailsScreen } from './payout-details/payout-details-screen.tsx';
export { RewardsScreen } from './rewards/rewards-screen.tsx';
