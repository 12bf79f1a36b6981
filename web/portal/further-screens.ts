/**
 * Small screens in one chunk: each alone would be many small files. The largest, money and profile, and those of add-ons
 * are apart.
 */
export { Links } from './links/links.tsx';
export { Orders } from './orders/orders.tsx';
export { Outsider } from './outsider.tsx';
export { PayoutDetailsScreen } from './payout-details/payout-details-screen.tsx';
export { RewardsScreen } from './rewards/rewards-screen.tsx';
