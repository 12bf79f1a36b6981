import type { FirstStep } from '../overview/index.ts';
import { countOrdersUpTo } from './order-store.ts';

export const firstOrder: FirstStep = {
  name: 'order',
  title: 'Send the first order',
  isDone: async (db) => (await countOrdersUpTo(db, 1)) > 0,
};
