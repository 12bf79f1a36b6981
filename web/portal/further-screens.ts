/** All screens but the first, in one chunk: each alone would be many small files. */
export { Links } from './links/links.tsx';
export { MoneyScreen } from './money/money-screen.tsx';
export { Orders } from './orders/orders.tsx';
export { Outsider } from './outsider.tsx';
export { PayoutDetailsScreen } from './payout-details/payout-details-screen.tsx';
export { ProfileScreen } from './profile/profile-screen.tsx';
export { RewardsScreen } from './rewards/rewards-screen.tsx';
