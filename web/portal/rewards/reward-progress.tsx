import type { AffiliateRewards } from '../../../sdk/src/index.ts';
import { formatMoney, formatRate } from '../../format.ts';
import { Pill } from '../../ui/pill.tsx';
import { formatNumber, t } from '../../words.ts';
import { Progress } from '../progress.tsx';

type Step = AffiliateRewards['steps'][number];
type Bonus = AffiliateRewards['bonuses'][number];

/** The step of a rule that the affiliate has reached, and what is missing to the next one. */
export function StepProgress({ step: { by, window, value, percent, next } }: { step: Step }) {
  if (!next) return <p>{t('portal.rewards.highest', { percent: shownPercent(percent) })}</p>;
  const text = t('portal.rewards.next', {
    now: shownPercent(percent),
    missing: shown(by, next.missing),
    window: t(
      `portal.rewards.window.${window.kind}`,
      window.kind === 'days' ? { count: window.days ?? 1 } : {},
    ),
    percent: shownPercent(next.percent),
  });
  return (
    <>
      <p>{text}</p>
      <Progress value={value} max={next.from} label={text}>
        {valueOf(by, value, next.from)}
      </Progress>
    </>
  );
}

/** How far the affiliate is with a bonus, unless it is earned; being accepted is not counted. */
export function BonusProgress({ bonus: { by, sentence, value, at, paid } }: { bonus: Bonus }) {
  if (paid) {
    return (
      <p>
        <Pill kind="good">{t('portal.rewards.earned')}</Pill>
      </p>
    );
  }
  return (
    by && (
      <Progress value={value} max={at} label={sentence}>
        {valueOf(by, value, at)}
      </Progress>
    )
  );
}

function valueOf(by: Step['by'], value: number, target: number): string {
  return t('portal.home.progressOf', { amount: shown(by, value), minimum: shown(by, target) });
}

function shown(by: Step['by'], value: number): string {
  return by === 'sales' || by === 'commission' ? formatMoney(value) : formatNumber(value);
}

function shownPercent(percent: number): string {
  return formatRate(percent);
}
