import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  hasCode,
  TributaryError,
  type RewardRule,
  type RewardTrial,
} from '../../../sdk/src/index.ts';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { useData, useRefreshing } from '../../data.ts';
import { sentenceOf } from '../../error-words.ts';
import { daysAgo, formatPercent, storeToday } from '../../format.ts';
import { announce } from '../../frame/announcer.tsx';
import { useBusy } from '../../ui/busy.ts';
import { t } from '../../words.ts';
import { draftOf, hasNoRate, isUnfinished, type RuleDraft } from './draft.ts';

/** Today is one of the 90 days. */
const DAYS_BEFORE_TODAY = 89;
const POLL_MS = 1_000;
/** Screen readers say each quarter of the way. */
const SPOKEN_PARTS = 4;

export interface TrialInForm {
  readonly trial: RewardTrial | undefined;
  /** Whether it is requested or computed. */
  readonly isRunning: boolean;
  /** Whether the rule has changed since it was tried. */
  readonly isOutdated: boolean;
  readonly error: string | undefined;
  start(): void;
  cancel(): void;
}

/** Tries the list of rules with a changed or a new one on past orders. */
export function useTrial(
  rules: readonly RewardRule[],
  draft: RuleDraft,
  ruleId: number | undefined,
): TrialInForm {
  const [started, setStarted] = useState<{ id: number; draft: string }>();
  const [refused, setRefused] = useState<string>();
  const { isBusy, error, run } = useBusy();
  const id = started?.id;
  const loaded = useData('rewards', id === undefined ? undefined : { trial: id }, () =>
    api.rewards.dryRun.get(id!),
  );
  const trial = loaded.data?.id === id ? loaded.data : undefined;
  const isComputing = id !== undefined && (trial ? trial.state === 'running' : !loaded.error);
  useRefreshing(isComputing ? POLL_MS : undefined, ['rewards', { trial: id }]);
  useSpoken(trial);
  useCancelOnLeaving(isComputing ? id : undefined);

  const start = async () => {
    setStarted(undefined);
    setRefused(undefined);
    if (hasNoRate(draft) || isUnfinished(draft)) {
      setRefused(t('console-rewards.try.unfinished'));
      return;
    }
    const input = {
      rules: withDraft(rules, draft, ruleId),
      from: daysAgo(DAYS_BEFORE_TODAY),
      to: storeToday(),
    };
    try {
      const { id: trialId } = await act((options) => api.rewards.dryRun(input, options));
      announce(t('console-rewards.try.started'));
      setStarted({ id: trialId, draft: JSON.stringify(draft) });
    } catch (caught) {
      setRefused(refusalOf(caught, rules, ruleId));
    }
  };
  return {
    trial,
    isRunning: isBusy || isComputing,
    isOutdated: started !== undefined && started.draft !== JSON.stringify(draft),
    error: refused ?? error ?? (!trial && loaded.error ? sentenceOf(loaded.error) : undefined),
    start: () => run(start),
    cancel: () => {
      if (id === undefined) return;
      run(async () => {
        await act((options) => api.rewards.dryRun.delete(id, options));
        setStarted(undefined);
        announce(t('console-rewards.try.cancelled'));
      });
    },
  };
}

/** The whole list with the rule of the form in its place; a new one is the last. */
export function withDraft(
  rules: readonly RewardRule[],
  draft: RuleDraft,
  ruleId: number | undefined,
) {
  const list = rules.map((rule) =>
    rule.id === ruleId ? { ...draft, id: rule.id } : { ...draftOf(rule), id: rule.id },
  );
  return rules.some(({ id }) => id === ruleId) ? list : [...list, draft];
}

/** A rule that names something deleted is kept, and cannot be tried. */
function refusalOf(
  error: unknown,
  rules: readonly RewardRule[],
  ruleId: number | undefined,
): string {
  if (!(error instanceof TributaryError)) throw error;
  if (hasCode(error, 'svc_api_trial_running')) return t('console-rewards.try.another');
  const index = /^rules\[(\d+)\]/.exec(Object.keys(error.params)[0] ?? '')?.[1];
  const other = index === undefined ? undefined : rules[Number(index)];
  if (!other || other.id === ruleId) return sentenceOf(error);
  return t('console-rewards.try.otherRule', {
    number: other.position,
    sentence: other.sentence,
  });
}

function useSpoken(trial: RewardTrial | undefined): void {
  const part = Math.floor((trial?.progress ?? 0) * SPOKEN_PARTS);
  useLayoutEffect(() => {
    if (trial?.state === 'running' && part > 0) {
      announce(t('console-rewards.try.progress', { share: formatPercent(trial.progress, 0) }));
    } else if (trial?.state === 'done') {
      announce(t('console-rewards.try.done'));
    }
  }, [trial?.id, trial?.state, part]);
}

/** Its result could not be seen any more, and it keeps other trials waiting. */
function useCancelOnLeaving(running: number | undefined): void {
  const current = useRef(running);
  current.current = running;
  useLayoutEffect(
    () => () => {
      if (current.current === undefined) return;
      // It ends by itself as well.
      api.rewards.dryRun.delete(current.current).catch(() => undefined);
    },
    [],
  );
}
