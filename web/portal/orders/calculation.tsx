import type { CommissionOfReferral, CommissionStep } from '../../../sdk/src/index.ts';
import { formatPercent } from '../../format.ts';
import { Money } from '../../ui/money.tsx';
import { RuleOfStep } from '../../ui/rule-of-step.tsx';
import { t } from '../../words.ts';

/** The steps from the order to the commission, each in words. */
export function Calculation({ referral }: { referral: CommissionOfReferral }) {
  return (
    <section class="calculation">
      <h3>{t('portal-orders.calculation')}</h3>
      <p class="muted">{t(`portal-orders.via.${referral.credited_via}`)}</p>
      <ol>
        {referral.steps.map((step, i) => (
          <li key={i} data-result={i === referral.steps.length - 1}>
            <span>
              {sentenceOfStep(step, referral.state === 'void')}
              <RuleOfStep referral={referral} step={step} />
            </span>
            <Money amount={step.amount} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function sentenceOfStep({ step, facts }: CommissionStep, isVoid: boolean): string {
  switch (step) {
    case 'base':
      return baseSentence(facts);
    case 'percent':
      if (facts.because) return nothingSentence(facts.because, facts.product_id);
      return t(`portal-orders.step.percent.${facts.part ?? 'goods'}`, {
        percent: formatPercent((facts.percent ?? 0) / 100, 2),
        product: facts.product_id ?? '',
      });
    case 'fixed':
      return facts.quantity === undefined
        ? t('portal-orders.step.fixedOrder')
        : t('portal-orders.step.fixedProducts', { count: facts.quantity });
    case 'void':
      if (facts.reason === 'order_status' && facts.status) {
        return t(`portal-orders.reason.status.${facts.status}`);
      }
      if (facts.reason === 'coupon_removed' || facts.reason === 'rejected') {
        return t(`portal-orders.reason.${facts.reason}`);
      }
      return t('portal-orders.reason.self_referral');
    case 'limit':
    case 'refund':
    case 'maximum':
      return t(`portal-orders.step.${step}`);
    case 'share':
      return t('portal-orders.step.share', { count: facts.share_of ?? 1 });
    case 'rounding':
      return t(isVoid ? 'portal-orders.step.wouldBe' : 'portal-orders.step.rounding');
  }
}

function nothingSentence(
  because: NonNullable<CommissionStep['facts']['because']>,
  product: string | undefined,
): string {
  return product === undefined || because === 'renewals'
    ? t(`portal-orders.step.nothing.${because}`)
    : t(`portal-orders.step.nothing.${because}.product`, { product });
}

function baseSentence({ before_discount, includes = [] }: CommissionStep['facts']): string {
  const goods = t(
    before_discount
      ? 'portal-orders.step.baseBeforeDiscount'
      : 'portal-orders.step.baseAfterDiscount',
  );
  const others = includes.map((part) => t(`portal-orders.part.${part}`));
  return [goods, ...others].join(' + ');
}
