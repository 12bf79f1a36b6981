import { defineModule } from '../../kernel/declare/module.ts';
import { search } from './search.ts';

export const searchModule = defineModule({
  name: 'search',
  summary: 'Finding affiliates, coupons and orders by a few letters',
  addon: false,
  operations: [search],
});
