import { useLayoutEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { CaseDetail, StoredOrder } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { countryName } from '../../../src/shared/formats.ts';
import { daysAgo, formatDate } from '../../../web/format.ts';
import { announce } from '../../../web/frame/announcer.tsx';
import { hasNavigated } from '../../../web/frame/navigation.ts';
import { Button } from '../../../web/ui/button.tsx';
import { DownloadButton } from '../../../web/ui/download-button.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { CloseIcon } from '../../../web/ui/icons.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { Timeline, type TimelineStep } from '../../../web/ui/timeline.tsx';
import { currentLanguage, t } from '../../../web/words.ts';
import { ObjectLink } from '../../../web/console/object-link.tsx';
import type { Deciding } from './decide-dialog.tsx';
import { CasePill, PATH, ruleName, subjectName } from './review-words.tsx';
import '../../../web/ui/side-panel.css';

interface PanelProps {
  id: number;
  closeHref: string;
  onDecide(decision: Deciding['decision']): void;
}

/** One case: what was found, what it holds, what the affiliate answered, and everything that happened. */
export function CasePanel({ id, closeHref, onDecide }: PanelProps) {
  const { data, error, retry } = useData('cases', { id }, () => api.cases.get(id));
  const name = data && `${t('console-review.number', { id: String(id) })}, ${subjectName(data)}`;
  useLayoutEffect(() => {
    // The focus stays in the list, so that j and k go on.
    if (name !== undefined && hasNavigated()) announce(name);
  }, [name]);
  return (
    <section class="card stack side-panel" aria-labelledby="case-title">
      <div class="side-head">
        <h2 id="case-title">{t('console-review.number', { id: String(id) })}</h2>
        <Link class="dialog-close" href={closeHref} aria-label={t('common.close')}>
          <CloseIcon aria-hidden />
        </Link>
      </div>
      {data ? (
        <Content found={data} onDecide={onDecide} />
      ) : (
        <Pending error={error} retry={retry} lines={8} height="1.75rem" />
      )}
    </section>
  );
}

/** As long as the service undoes a decision. */
const UNDO_DAYS = 30;

function Content({ found, onDecide }: { found: CaseDetail; onDecide: PanelProps['onDecide'] }) {
  const { id, state, evidence, answer, answer_file, date_answered, date_decided } = found;
  return (
    <>
      <p class="side-state">
        <CasePill state={state} />
        <span class="muted">{formatDate(found.date, 'exact')}</span>
      </p>
      {state === 'open' && (
        <div class="side-actions">
          <Button type="button" onClick={() => onDecide('clear')}>
            {t('console-review.clear')}
          </Button>
          <Button kind="quiet" type="button" onClick={() => onDecide('reject')}>
            {t('console-review.reject')}
          </Button>
        </div>
      )}
      {date_decided !== null && date_decided.slice(0, 10) > daysAgo(UNDO_DAYS) && (
        <UndoDecision id={id} />
      )}
      <CaseFacts found={found} />
      <div class="stack">
        <h3>{t('console-review.evidence')}</h3>
        {evidence.length === 0 && <p class="muted">{found.reason}</p>}
        <ul class="side-notes">
          {evidence.map(({ date, reason }, i) => (
            <li key={i}>
              <p>{reason}</p>
              <p class="muted">{formatDate(date, 'exact')}</p>
            </li>
          ))}
        </ul>
      </div>
      {answer !== null && (
        <div class="stack">
          <h3>{t('console-review.answer')}</h3>
          <ul class="side-messages">
            <li>
              <p class="muted">{date_answered && formatDate(date_answered, 'exact')}</p>
              <p class="side-text">{answer}</p>
              {answer_file && <AnswerFile id={id} name={answer_file.name} />}
            </li>
          </ul>
        </div>
      )}
      <div class="stack">
        <h3>{t('console-review.history')}</h3>
        <Timeline label={t('console-review.history')} steps={found.history.map(stepOf)} />
      </div>
    </>
  );
}

export function UndoDecision({ id, onUndone }: { id: number; onUndone?(): void }) {
  return (
    <Form
      kind="quiet"
      action={t('console-review.undo')}
      submit={async (_values, options) => {
        await api.cases.reopen(id, options);
        onUndone?.();
        await refresh('cases', 'overview', 'orders', 'affiliates', 'payouts');
      }}
    />
  );
}

function AnswerFile({ id, name }: { id: number; name: string }) {
  return (
    <DownloadButton label={name} fileName={name} load={(options) => api.cases.file(id, options)} />
  );
}

/** What events call the subjects of cases. */
const kinds = {
  order: 'order',
  affiliate: 'affiliate',
  application: 'registration',
  customer: 'customer',
} as const;

function CaseFacts({ found }: { found: CaseDetail }) {
  const order = useOrder(found);
  const others = useOtherCases(found);
  const { subject, affiliate, held, orders } = found;
  // A case of an affiliate may hold thousands: these are the first.
  const more = found.orders_count - orders.length;
  const ids = [...new Set(orders.map(({ order_id }) => order_id))];
  return (
    <Facts
      facts={[
        {
          name: t('console-review.subject'),
          value: (
            <ObjectLink type={kinds[subject.type]} id={Number(subject.id) || 0}>
              {subjectName(found)}
            </ObjectLink>
          ),
        },
        affiliate !== null && {
          name: t('console-review.affiliate'),
          value: (
            <ObjectLink type="affiliate" id={affiliate.id}>
              {affiliate.name}
            </ObjectLink>
          ),
        },
        affiliate !== null &&
          others > 0 && {
            name: t('console-review.others'),
            value: (
              <Link class="lone-link" href={`${PATH}?view=all&affiliate=${affiliate.id}`}>
                {others}
              </Link>
            ),
          },
        { name: t('console-review.rule'), value: ruleName(found.rule) },
        { name: t('console-review.held'), value: <Money amount={held} /> },
        order !== undefined && {
          name: t('console-review.total'),
          value: <Money amount={order.total} />,
        },
        order !== undefined &&
          order.country !== null && {
            name: t('console-review.country'),
            value: countryName(currentLanguage(), order.country),
          },
        ids.length > 0 && {
          name: t('console-review.orders'),
          value: (
            <>
              {ids.map((id) => (
                <>
                  <ObjectLink key={id} type="order" id={id}>
                    #{id}
                  </ObjectLink>{' '}
                </>
              ))}
              {more > 0 && t('console-review.moreOrders', { count: more })}
            </>
          ),
        },
      ]}
    />
  );
}

/** The order that the case is about. */
function useOrder({ subject }: CaseDetail): StoredOrder | undefined {
  const id = subject.type === 'order' ? Number(subject.id) : undefined;
  const input = id === undefined ? undefined : { id, total: true };
  return useData('orders', input, () => api.orders.get(id!)).data;
}

/** How many cases the affiliate has or had besides this one. */
function useOtherCases({ affiliate }: CaseDetail): number {
  const input = affiliate === null ? undefined : { affiliate_id: affiliate.id, per_page: 1 };
  const { data } = useData('cases', input, () => api.cases.list(input));
  return data === undefined ? 0 : data.total - 1;
}

function stepOf({ action, date, name, note }: CaseDetail['history'][number]): TimelineStep {
  // Of a case that a rule opened or found again, the note is the name of the rule.
  const byRule = action === 'opened' || action === 'joined';
  const who = name ?? (byRule ? ruleName(note) : t('console-review.automatic'));
  const what = t(`console-review.did.${action}`, { who });
  const title = byRule || note === '' ? what : `${what} ${t('console-review.noted', { note })}`;
  return { title, date, state: action === 'rejected' ? 'bad' : 'done' };
}
