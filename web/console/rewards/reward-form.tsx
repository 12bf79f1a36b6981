import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { hasCode, type CallOptions } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { FieldErrorsOf, type FieldErrors } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { DeleteReward } from './delete-reward.tsx';
import { changesOf } from './draft.ts';
import { Overtaken } from './overtaken.tsx';
import { useUnsaved } from '../unsaved.ts';
import { faultsOf, type Preview } from './use-preview.ts';

interface Reward {
  readonly id: number;
  readonly version: number;
  readonly sentence: string;
}

/** A rule or a bonus while it is written. */
export interface RewardDraft<R extends Reward, D> {
  /** The one that the person has seen; undefined for a new one. */
  readonly reward: R | undefined;
  readonly before: D;
  readonly draft: D;
  set(changes: Partial<D>): void;
}

/** The list is refreshed in the background; the form goes on with what the person has seen. */
export function useRewardDraft<R extends Reward, D>(
  shown: R | undefined,
  empty: D,
  draftOf: (reward: R) => D,
): RewardDraft<R, D> {
  const [reward] = useState(shown);
  const [before] = useState(() => (reward ? draftOf(reward) : empty));
  const [draft, setDraft] = useState(before);
  return {
    reward,
    before,
    draft,
    set: (changes) => setDraft((current) => ({ ...current, ...changes })),
  };
}

interface RewardFormProps<R extends Reward, D> {
  kind: 'rule' | 'bonus';
  written: RewardDraft<R, D>;
  /** What is stored now; undefined if it was deleted. */
  shown: R | undefined;
  preview: Preview;
  /** Below the sentence. */
  remark?: ComponentChildren;
  /** Where it goes after saving. */
  path: string;
  calls: {
    create(draft: D, options: CallOptions): Promise<unknown>;
    update(
      id: number,
      changes: Partial<D> & { version: number },
      options: CallOptions,
    ): Promise<unknown>;
    delete(id: number, seen: { version: number }, options: CallOptions): Promise<unknown>;
  };
  /** Beside the form where there is room, otherwise below it. */
  aside?: ComponentChildren;
  /** Begins again with what is stored. */
  onReload(): void;
  children: ComponentChildren;
}

/** A rule or a bonus, with the sentence that the service makes of it while it is written. */
export function RewardForm<R extends Reward, D extends object>(props: RewardFormProps<R, D>) {
  const { kind, written, shown, preview, path, calls, aside, onReload, children } = props;
  const { reward, before, draft } = written;
  const [faults, setFaults] = useState<FieldErrors>({});
  const [isOvertaken, setOvertaken] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [, navigate] = useLocation();
  const changes = changesOf(before, draft);
  useUnsaved(Object.keys(changes).length > 0, t('console-rewards.leave'));
  const leave = async () => {
    await refresh('rewards');
    navigate(path);
  };
  return (
    <div class="rule-form">
      <div class="rule-preview" role="status" data-stale={!preview.isCurrent}>
        <p class="reward-sentence">
          {preview.sentence ?? reward?.sentence ?? t(`console-rewards.noSentence.${kind}`)}
        </p>
        {preview.isCurrent && props.remark}
      </div>
      {isOvertaken && <Overtaken kind={kind} sentence={shown?.sentence} onReload={onReload} />}
      <div class="rule-columns">
        <Form
          action={t('common.save')}
          showsReasons
          submit={async (_values, options) => {
            setFaults({});
            try {
              await (reward
                ? calls.update(reward.id, { ...changes, version: reward.version }, options)
                : calls.create(draft, options));
            } catch (error) {
              setFaults(faultsOf(error));
              if (hasCode(error, 'svc_api_conflict')) {
                setOvertaken(true);
                await refresh('rewards');
              }
              throw error;
            }
            await leave();
          }}
          beside={
            reward && (
              <Button type="button" kind="danger" onClick={() => setDeleting(true)}>
                {t('console-rewards.delete')}
              </Button>
            )
          }
        >
          <WithFaults faults={{ ...faults, ...preview.faults }}>{children}</WithFaults>
          <Mailed kind={kind} />
        </Form>
        {aside && <div class="rule-aside">{aside}</div>}
      </div>
      {isDeleting && reward && (
        <DeleteReward
          kind={kind}
          sentence={reward.sentence}
          remove={(options) => calls.delete(reward.id, { version: reward.version }, options)}
          onClose={() => setDeleting(false)}
          onDeleted={leave}
        />
      )}
    </div>
  );
}

/** The affiliates that get an email, unless the owner has switched these emails off. */
function Mailed({ kind }: { kind: 'rule' | 'bonus' }) {
  const { data } = useData('settings', { part: 'values' }, () => api.settings.get());
  return data?.['mail.rewards'] === true ? (
    <p class="muted">{t(`console-rewards.mailed.${kind}`)}</p>
  ) : null;
}

/** The service names some values within the reason of the whole, which the form around does not look into. */
function WithFaults({ faults, children }: { faults: FieldErrors; children: ComponentChildren }) {
  const refused = useContext(FieldErrorsOf);
  return (
    <FieldErrorsOf.Provider value={{ ...refused, ...faults }}>{children}</FieldErrorsOf.Provider>
  );
}
