import type { RewardRule, RewardRules } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { t } from '../../words.ts';
import { draftOf, DraftOf, emptyDraft, hasNoRate } from './draft.ts';
import { MoreConditions } from './more-conditions.tsx';
import { RunningRules } from './option-fields.tsx';
import { RateFields } from './rate-fields.tsx';
import { RewardForm, useRewardDraft } from './reward-form.tsx';
import { PATH } from './rules.ts';
import { TrialResult } from './trial-result.tsx';
import { usePreview } from './use-preview.ts';
import { useTrial, withDraft } from './use-trial.ts';
import { WhatFields } from './what-fields.tsx';
import { WhoFields } from './who-fields.tsx';

interface RuleFormProps {
  list: RewardRules;
  /** Undefined for a new one. */
  rule: RewardRule | undefined;
  /** Begins again with what is stored. */
  onReload(): void;
}

export function RuleForm({ list, rule: shown, onReload }: RuleFormProps) {
  const written = useRewardDraft(shown, emptyDraft, draftOf);
  const { reward: rule, draft, set } = written;
  const preview = usePreview(
    draft,
    !hasNoRate(draft),
    (asked) => api.rewards.rules.sentence({ ...asked, id: rule?.id }),
    rule?.id,
  );
  const trial = useTrial(list.rules, draft, rule?.id);
  const isRunning = (draft.running || rule?.running === true) && preview.isCurrent;
  const hiding = list.rules.find(({ id }) => id === preview.hiddenBy);
  return (
    <DraftOf.Provider value={{ draft, set }}>
      <RewardForm
        kind="rule"
        written={written}
        shown={shown}
        preview={preview}
        remark={
          hiding && (
            <p class="rule-hidden">
              {t('console-rewards.hiddenByRule', {
                number: hiding.position,
                sentence: hiding.sentence,
              })}
            </p>
          )
        }
        path={PATH}
        calls={api.rewards.rules}
        aside={<TrialResult {...trial} />}
        onReload={onReload}
      >
        <Card>
          <WhoFields who={draft.who} onWho={(who) => set({ who })} />
          <WhatFields />
        </Card>
        <Card>
          <RateFields />
        </Card>
        <RunningRules.Provider
          value={isRunning ? withDraft(list.rules, draft, rule?.id) : undefined}
        >
          <MoreConditions />
        </RunningRules.Provider>
      </RewardForm>
    </DraftOf.Provider>
  );
}
