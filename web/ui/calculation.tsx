import type { CommissionOfReferral } from '../../sdk/src/index.ts';
import { Money } from './money.tsx';
import { sentencesOf, type StepReader } from './step-sentence.ts';
import './calculation.css';

interface CalculationProps {
  referral: CommissionOfReferral;
  reader: StepReader;
  label?: string;
}

/** The steps from the order to the commission, each in words, with the reward rule that decided it. */
export function Calculation({ referral, reader, label }: CalculationProps) {
  const steps = sentencesOf(referral, reader);
  return (
    <ol class="calculation" aria-label={label}>
      {steps.map(({ step, sentence }, i) => (
        <li key={i} data-result={i === steps.length - 1}>
          <span>
            {sentence}
            <RuleOfStep referral={referral} ruleId={step.facts.rule_id} />
          </span>
          <Money amount={step.amount} />
        </li>
      ))}
    </ol>
  );
}

interface RuleOfStepProps {
  referral: CommissionOfReferral;
  ruleId: number | undefined;
}

/** The sentence of the reward rule that decided a step, as it was when the order came in. */
function RuleOfStep({ referral, ruleId }: RuleOfStepProps) {
  const rule = referral.rules.find(({ id }) => id === ruleId);
  return rule ? <span class="rule-of-step">{rule.sentence}</span> : null;
}
