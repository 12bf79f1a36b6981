import type { CommissionOfReferral, CommissionStep } from '../../sdk/src/index.ts';
import './rule-of-step.css';

interface RuleOfStepProps {
  referral: CommissionOfReferral;
  step: CommissionStep;
}

/** The sentence of the reward rule that decided a step, as it was when the order came in. */
export function RuleOfStep({ referral, step }: RuleOfStepProps) {
  const rule = referral.rules.find(({ id }) => id === step.facts.rule_id);
  return rule ? <span class="rule-of-step">{rule.sentence}</span> : null;
}
