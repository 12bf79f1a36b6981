/**
 * Small screens in one chunk: each alone would be many small files. The largest, money and profile, those of add-ons,
 * and links, with which many visits begin, are apart.
 */
export { Orders } from './orders/orders.tsx';
export { Outsider } from './outsider.tsx';
export { RewardsScreen } from './rewards/rewards-screen.tsx';
