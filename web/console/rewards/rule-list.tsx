import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { hasCode, type RewardRule, type RewardRules } from '../../../sdk/src/index.ts';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatDate, storeToday } from '../../format.ts';
import { announce } from '../../frame/announcer.tsx';
import { useBusy } from '../../ui/busy.ts';
import { AscendingIcon, DescendingIcon, GripIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { PATH } from './rules.ts';

interface RuleListProps {
  list: RewardRules;
  canChange: boolean;
}

/** The rules in their order, which buttons and the mouse change. */
export function RuleList({ list, canChange }: RuleListProps) {
  const { rules, ids, move, isOvertaken, error, dragging } = useOrder(list);
  const focused = useRef<{ id: number; way: 'up' | 'down' } | undefined>(undefined);
  const element = useRef<HTMLOListElement>(null);
  // Moving a row takes the focus from its button. At an end, only the other button is left.
  useLayoutEffect(() => {
    if (!focused.current) return;
    const { id, way } = focused.current;
    const row = element.current!.querySelector(`[data-rule="${id}"]`);
    (
      row?.querySelector<HTMLElement>(`[data-way="${way}"]`) ?? row?.querySelector('button')
    )?.focus();
    focused.current = undefined;
  }, [ids.join()]);
  const mover = (rule: RewardRule, way: 'up' | 'down', to: number) => (
    <button
      type="button"
      class="move-button"
      data-way={way}
      aria-label={t(`console-rewards.move.${way}`, { sentence: rule.sentence })}
      onClick={() => {
        focused.current = { id: rule.id, way };
        move(rule.id, to);
      }}
    >
      {way === 'up' ? <AscendingIcon aria-hidden /> : <DescendingIcon aria-hidden />}
    </button>
  );
  return (
    <>
      {isOvertaken && <Notice kind="warn">{t('console-rewards.orderOvertaken')}</Notice>}
      {error && <Notice kind="bad">{error}</Notice>}
      <ol class="reward-rules" ref={element}>
        {rules.map((rule, i) => (
          <li
            key={rule.id}
            data-rule={rule.id}
            data-dragged={dragging.id === rule.id}
            draggable={canChange && rules.length > 1}
            {...(canChange && dragging.handlersOf(rule.id, i))}
          >
            {canChange && rules.length > 1 && <GripIcon class="grip" aria-hidden />}
            <span class="rule-number figures">{i + 1}</span>
            <div>
              <p class="reward-sentence" data-inactive={!rule.active}>
                {canChange ? (
                  <Link href={`${PATH}/${rule.id}`} draggable={false}>
                    {rule.sentence}
                  </Link>
                ) : (
                  rule.sentence
                )}
              </p>
              <About rule={rule} list={list} />
            </div>
            {canChange && (
              <span class="moves">
                {i > 0 && mover(rule, 'up', i - 1)}
                {i < rules.length - 1 && mover(rule, 'down', i + 1)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The order as it is shown, which may be ahead of the stored one. */
function useOrder(list: RewardRules) {
  const stored = list.rules.map(({ id }) => id);
  const [wanted, setWanted] = useState<readonly number[]>();
  const [dragged, setDragged] = useState<number>();
  const [isOvertaken, setOvertaken] = useState(false);
  const { isBusy, error, run } = useBusy();
  const byId = new Map(list.rules.map((rule) => [rule.id, rule]));
  const ids = wanted ?? stored;
  const rules = ids.flatMap((id) => byId.get(id) ?? []);
  const moved = (id: number, to: number) => ids.filter((one) => one !== id).toSpliced(to, 0, id);

  const save = (order: readonly number[], id: number) => {
    setWanted(order);
    setOvertaken(false);
    run(async () => {
      try {
        const input = { ids: [...order], version: list.version };
        await act((options) => api.rewards.rules.order.set(input, options));
        const values = { place: order.indexOf(id) + 1, count: order.length };
        announce(t('console-rewards.moved', { place: values.place, all: values.count }));
      } catch (caught) {
        if (!hasCode(caught, 'svc_api_conflict')) throw caught;
        setOvertaken(true);
      } finally {
        await refresh('rewards');
        setWanted(undefined);
      }
    });
  };

  return {
    rules,
    ids,
    isOvertaken,
    error,
    move: (id: number, to: number) => {
      if (!isBusy) save(moved(id, to), id);
    },
    dragging: {
      id: dragged,
      handlersOf: (id: number, index: number) => ({
        onDragStart: (event: DragEvent) => {
          if (isBusy) return event.preventDefault();
          event.dataTransfer!.effectAllowed = 'move';
          setDragged(id);
        },
        onDragOver: (event: DragEvent) => {
          if (dragged === undefined) return;
          event.preventDefault();
          if (dragged !== id) setWanted(moved(dragged, index));
        },
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          if (dragged !== undefined && ids.join() !== stored.join()) save(ids, dragged);
          setDragged(undefined);
        },
        // Also after a drop elsewhere, which changes nothing.
        onDragEnd: () => {
          setDragged(undefined);
          if (!isBusy && dragged !== undefined) setWanted(undefined);
        },
      }),
    },
  };
}

/** What to know about a rule beside its sentence. */
function About({ rule, list }: { rule: RewardRule; list: RewardRules }) {
  const hiding = list.rules.find(({ id }) => id === rule.hidden_by);
  const today = storeToday();
  return (
    <p class="rule-about">
      {rule.name && <span class="muted">{rule.name}</span>}
      {!rule.active && <Pill kind="plain">{t('console-rewards.inactive')}</Pill>}
      {rule.to !== null && rule.to < today && (
        <Pill kind="plain">{t('console-rewards.ended')}</Pill>
      )}
      {rule.from !== null && rule.from > today && (
        <Pill kind="accent">
          {t('console-rewards.starts', { date: formatDate(rule.from, 'short') })}
        </Pill>
      )}
      {hiding && (
        <Pill kind="warn">{t('console-rewards.hiddenBy', { number: hiding.position })}</Pill>
      )}
      {rule.missing.length > 0 && (
        <Pill kind="bad">{t('console-rewards.missing', { count: rule.missing.length })}</Pill>
      )}
    </p>
  );
}
