import { textIn } from '../../../shared/texts.ts';
import type { Step } from './commission-step.ts';

/** A step of the calculation as a sentence. The API is in English. */
export function explainStep({ step, facts = {}, amount }: Step, hasProducts: boolean): string {
  const { percent = 0, rate_of: source = 'store', part, product_id: product = '' } = facts;
  const { quantity, before_discount: isBefore, includes = [], because, rule_id: rule = 0 } = facts;
  switch (step) {
    case 'base': {
      const goods = hasProducts ? 'products' : 'goods';
      const parts = includes.join(', ');
      return textIn('en', `api.commission.base.${goods}.${isBefore ? 'before' : 'after'}`, {
        with: parts && textIn('en', 'api.commission.with', { parts }),
      });
    }
    case 'percent':
      if (because) return textIn('en', `api.commission.nothing.${because}`, { product, rule });
      return part === 'product' || part === 'goods'
        ? textIn('en', `api.commission.percent.${part}`, { percent, product, source })
        : textIn('en', 'api.commission.percent.part', { percent, part: part!, source });
    case 'fixed':
      return quantity === undefined
        ? textIn('en', 'api.commission.fixed.order', { source })
        : textIn('en', 'api.commission.fixed.products', { quantity, source });
    case 'refund':
      return textIn('en', `api.commission.refund.${amount.numerator === 0n ? 'full' : 'part'}`);
    case 'share':
      return textIn('en', 'api.commission.share', { of: facts.share_of! });
    default:
      return textIn('en', `api.commission.${step}`);
  }
}
