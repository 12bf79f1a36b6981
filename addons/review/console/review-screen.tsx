import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Case } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { useKeys } from '../../../web/frame/keys.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Button } from '../../../web/ui/button.tsx';
import { dateColumn, moneyColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { FilterBar } from '../../../web/ui/filter-bar.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { optionsOf } from '../../../web/ui/options.ts';
import { Pill } from '../../../web/ui/pill.tsx';
import { Segmented } from '../../../web/ui/segmented.tsx';
import { SelectionBar, useSelection } from '../../../web/ui/selection.tsx';
import { t } from '../../../web/words.ts';
import { focusCurrent } from '../../../web/console/focus-current.ts';
import { CasePanel, UndoDecision } from './case-panel.tsx';
import { DecideDialog, type Deciding } from './decide-dialog.tsx';
import { CasePill, PATH, ruleName, subjectName } from './review-words.tsx';
import { ReviewRules, useReviewRules } from './review-rules.tsx';
import '../../../web/ui/beside.css';
import './review.css';

const PER_PAGE = 25;
const views = ['open', 'decided', 'all', 'rules'] as const;
type View = (typeof views)[number];

/** Cases to decide, with the open one beside the list, and the rules that open them. Keys: j and k, c, r. */
export function Review() {
  const address = useAddress(PATH);
  const view = address.oneOf('view', views) ?? 'open';
  return (
    <Screen
      title={t('console.nav.review')}
      aside={view !== 'rules' && <p class="muted beside-keys">{t('console-review.keys')}</p>}
    >
      <Segmented
        label={t('console-review.view')}
        current={view}
        options={optionsOf(views, (value) => t(`console-review.view.${value}`))}
        hrefOf={(value) =>
          address.hrefOf({
            view: value,
            page: undefined,
            open: undefined,
            dialog: undefined,
            rule: undefined,
          })
        }
      />
      {view === 'rules' ? (
        <ReviewRules address={address} />
      ) : (
        <Cases address={address} view={view} />
      )}
    </Screen>
  );
}

function Cases({ address, view }: { address: Address; view: Exclude<View, 'rules'> }) {
  const list = useCases(address, view);
  const items = list.data?.items ?? [];
  const selection = useSelection(items.filter(({ state }) => state === 'open').map(({ id }) => id));
  const openId = Number(address.get('open')) || undefined;
  const current = items.find(({ id }) => id === openId);
  const [, navigate] = useLocation();
  const go = (changes: Record<string, string | undefined>) => navigate(address.hrefOf(changes));
  const step = (by: 1 | -1) => {
    const at = items.findIndex(({ id }) => id === openId);
    const other = items[at === -1 ? 0 : at + by];
    if (other) navigate(address.hrefOf({ open: String(other.id) }), { replace: true });
  };
  // Until the list is loaded, the keys work as for a case to decide.
  const canDecide = openId !== undefined && (current?.state ?? 'open') === 'open';
  const ask = (dialog: Deciding['decision']) => {
    focusCurrent();
    go({ dialog });
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    c: () => canDecide && ask('clear'),
    r: () => canDecide && ask('reject'),
  });
  const [done, setDone] = useState<Deciding>();
  /** After a decision the next case is shown, so that many can be decided in a row. */
  const next = (id: number, decision: Deciding['decision']) => {
    setDone({ decision, ids: [id] });
    const at = items.findIndex((item) => item.id === id);
    const after = items[at + 1] ?? items[at - 1];
    go({ dialog: undefined, open: view === 'open' ? after && String(after.id) : String(id) });
  };
  const dialog = address.oneOf('dialog', ['clear', 'reject']);
  // Not in the address, which does not hold the selection either.
  const [many, setMany] = useState<Deciding>();
  const decideSelected = (decision: Deciding['decision']) =>
    setMany({ decision, ids: selection.ids.map(Number) });
  return (
    <>
      <div class="beside-tools review-tools" data-open={openId !== undefined}>
        <Filters address={address} list={list} />
      </div>
      {view === 'open' && done && <Decided {...done} onUndone={() => setDone(undefined)} />}
      <div class="beside" data-open={openId !== undefined}>
        <div class="beside-list">
          <Listing
            address={address}
            caption={t('console.nav.review')}
            list={list}
            columns={columnsFor(view, openId)}
            keyOf={({ id }) => id}
            nameOf={nameOf}
            hrefOf={({ id }) => address.hrefOf({ open: String(id) })}
            filters={['rule', 'affiliate']}
            {...(view === 'open' && { selection })}
            empty={<NoCases address={address} view={view} />}
          />
          <SelectionBar selection={selection}>
            <Button type="button" onClick={() => decideSelected('clear')}>
              {t('console-review.clearMany')}
            </Button>
            <Button kind="quiet" type="button" onClick={() => decideSelected('reject')}>
              {t('console-review.rejectMany')}
            </Button>
          </SelectionBar>
        </div>
        {openId !== undefined && (
          <CasePanel
            key={openId}
            id={openId}
            closeHref={address.hrefOf({ open: undefined, dialog: undefined })}
            onDecide={(decision) => go({ dialog: decision })}
          />
        )}
      </div>
      {openId !== undefined && dialog && (
        <DecideDialog
          decision={dialog}
          ids={[openId]}
          onClose={() => go({ dialog: undefined })}
          onDone={() => next(openId, dialog)}
        />
      )}
      {many && (
        <DecideDialog
          {...many}
          onClose={() => setMany(undefined)}
          onDone={() => setMany(undefined)}
        />
      )}
    </>
  );
}

/** What the last decision did, and the way back. */
function Decided({ decision, ids, onUndone }: Deciding & { onUndone(): void }) {
  const id = ids[0]!;
  return (
    <Notice kind="good">
      <div class="review-done">
        <span>{t(`console-review.done.${decision}`, { id: String(id) })}</span>
        <UndoDecision id={id} onUndone={onUndone} />
      </div>
    </Notice>
  );
}

const sorts = ['oldest', 'held'] as const;

function useCases(address: Address, view: Exclude<View, 'rules'>) {
  const input = {
    state: view === 'all' ? undefined : view,
    rule: address.get('rule') || undefined,
    affiliate_id: Number(address.get('affiliate')) || undefined,
    // What an affiliate has answered waits for the team.
    sort: address.oneOf('sort', sorts) ?? (view === 'open' ? 'answered' : undefined),
    page: address.page,
    per_page: PER_PAGE,
  };
  // The rule in the address is one of the filter's options, which the service checks.
  return useData('cases', input, () =>
    api.cases.list(input as Parameters<typeof api.cases.list>[0]),
  );
}

function Filters({ address, list }: { address: Address; list: ReturnType<typeof useCases> }) {
  const rules = useReviewRules().data?.items ?? [];
  const affiliate = address.get('affiliate');
  return (
    <FilterBar
      address={address}
      list={list}
      filters={[
        {
          name: 'rule',
          label: t('console-review.rule'),
          options: rules.map(({ name }) => ({ value: name, label: ruleName(name) })),
        },
        ...(affiliate === ''
          ? []
          : [
              {
                name: 'affiliate',
                label: t('console-review.affiliate'),
                options: [{ value: affiliate, label: t('console-review.ofAffiliate') }],
              },
            ]),
      ]}
      sorts={optionsOf(sorts, (value) => t(`console-review.sort.${value}`))}
    />
  );
}

const nameOf = (one: Case) => `${one.affiliate?.name ?? ''} ${subjectName(one)}`.trim();

/** Beside the open case there is room for who, how much and when. */
function columnsFor(view: View, openId: number | undefined): Column<Case>[] {
  const who: Column<Case> = {
    key: 'who',
    label: t('console-review.affiliate'),
    phone: 'title',
    cell: (one) => (
      <span class={one.id === openId ? 'beside-current' : undefined}>
        {one.affiliate?.name ?? subjectName(one)}{' '}
        <span class="phone-only muted">{subjectName(one)}</span>
        {one.answer !== null && <Pill kind="accent">{t('console-review.answered')}</Pill>}
      </span>
    ),
  };
  const wide: Column<Case>[] = [
    textColumn('subject', t('console-review.subject'), 'none', subjectName),
    {
      key: 'reason',
      label: t('console-review.reason'),
      phone: 'detail',
      cell: ({ reason }) => reason,
    },
  ];
  const state: Column<Case> = {
    key: 'state',
    label: t('console-review.state'),
    phone: 'state',
    cell: (one) => <CasePill state={one.state} />,
  };
  return [
    who,
    ...(openId === undefined ? wide : []),
    ...(view === 'open' ? [] : [state]),
    moneyColumn('held', t('console-review.held'), 'aside', ({ held }) => held),
    dateColumn(
      'date',
      t('console-review.opened'),
      view === 'open' ? 'state' : 'none',
      ({ date }) => date,
    ),
  ];
}

function NoCases({ address, view }: { address: Address; view: View }) {
  return view === 'decided' ? (
    <EmptyState of="console-review.none" />
  ) : (
    <EmptyState
      of="console-review.empty"
      action={
        <Link class="button" data-kind="quiet" href={address.hrefOf({ view: 'rules' })}>
          {t('console-review.emptyAction')}
        </Link>
      }
    />
  );
}
