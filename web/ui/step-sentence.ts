import type { CommissionOfReferral, CommissionStep } from '../../sdk/src/index.ts';
import { formatMoney, formatRate } from '../format.ts';
import { t } from '../words.ts';

/** `affiliate` reads about its own orders, `team` about those of affiliates. */
export type StepReader = 'affiliate' | 'team';

type Explained = Pick<CommissionOfReferral, 'steps' | 'state'>;

/** Statuses of orders that the store does not count yet. */
const open = new Set<unknown>(['pending', 'processing', 'on-hold']);

/** The steps from the order to the commission, in the reader's language. */
export function sentencesOf(
  { steps, state }: Explained,
  reader: StepReader,
): { step: CommissionStep; sentence: string }[] {
  const end = steps.at(-1);
  const isOpen = end?.facts.reason === 'order_status' && open.has(end.facts.status);
  const expected = steps.findLast(({ step }) => step !== 'void')?.amount ?? 0;
  return steps
    .filter((step) => !(isOpen && step === end && expected <= 0))
    .map((step) => ({
      step,
      sentence:
        isOpen && step === end
          ? t('calculation.waiting', { amount: formatMoney(expected) })
          : sentenceOf(step, state === 'void' && !isOpen, reader),
    }));
}

function sentenceOf({ step, facts }: CommissionStep, isVoid: boolean, reader: StepReader): string {
  switch (step) {
    case 'base':
      return baseSentence(facts);
    case 'percent':
      if (facts.because) return nothingSentence(facts.because, facts);
      return t(
        `calculation.step.percent.${facts.product_name ? 'named' : (facts.part ?? 'goods')}`,
        {
          percent: formatRate(facts.percent ?? 0),
          product: productOf(facts),
        },
      );
    case 'fixed':
      return facts.quantity === undefined
        ? t('calculation.step.fixedOrder')
        : t('calculation.step.fixedProducts', { count: facts.quantity });
    case 'void':
      return voidSentence(facts, reader);
    case 'limit':
    case 'refund':
    case 'maximum':
      return t(`calculation.step.${step}`);
    case 'share':
      return t(reader === 'team' ? 'calculation.team.share' : 'calculation.step.share', {
        count: facts.share_of ?? 1,
      });
    case 'rounding':
      return t(isVoid ? 'calculation.step.wouldBe' : 'calculation.step.rounding');
  }
}

function voidSentence({ reason, status }: CommissionStep['facts'], reader: StepReader): string {
  if (reason === 'order_status' && status) return t(`calculation.reason.status.${status}`);
  if (reason === 'rejected') return t('calculation.reason.rejected');
  const why = reason === 'coupon_removed' ? reason : 'self_referral';
  return t(reader === 'team' ? `calculation.team.${why}` : `calculation.reason.${why}`);
}

function nothingSentence(
  because: NonNullable<CommissionStep['facts']['because']>,
  facts: CommissionStep['facts'],
): string {
  if (facts.product_id === undefined || because === 'renewals') {
    return t(`calculation.step.nothing.${because}`);
  }
  const form = facts.product_name ? 'named' : 'product';
  return t(`calculation.step.nothing.${because}.${form}`, { product: productOf(facts) });
}

const productOf = ({ product_name, product_id = '' }: CommissionStep['facts']) =>
  product_name ?? product_id;

function baseSentence({ before_discount, includes = [] }: CommissionStep['facts']): string {
  const goods = t(
    before_discount ? 'calculation.step.baseBeforeDiscount' : 'calculation.step.baseAfterDiscount',
  );
  const others = includes.map((part) => t(`calculation.part.${part}`));
  return [goods, ...others].join(' + ');
}
