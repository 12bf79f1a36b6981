import { useState } from 'preact/hooks';
import { useLocation, useParams, useSearch } from 'wouter-preact';
import type { Payout, PayoutTimelineEntry } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { withQuery } from '../../../web/frame/navigation.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { StatusLine } from '../../../web/ui/status-line.tsx';
import { t } from '../../../web/words.ts';
import { AffiliateNotes } from '../../../web/console/addon-notes.tsx';
import { ActDialog } from './act-dialog.tsx';
import { actsOf, type PayoutAct } from './payout-acts.ts';
import { PayoutEarnings } from './payout-earnings.tsx';
import { PayoutFacts } from './payout-facts.tsx';
import { stepsOf } from './timeline-steps.ts';
import { reasonOf, stateName } from './payout-words.ts';
import { ResolveDialog } from './resolve-dialog.tsx';
import '../../../web/ui/timeline.css';
import './detail.css';
import './payout-timeline.css';

const load = async (id: number) => {
  const [payout, { entries, outcome_unknown_since: unknownSince }] = await Promise.all([
    api.payouts.get(id),
    api.payouts.timeline(id),
  ]);
  return { payout, entries, isUnknown: unknownSince !== null };
};

/** One payout: what it is, what can be done with it, what it is made of, and everything that happened. */
export function PayoutDetail() {
  const id = Number(useParams<{ id: string }>().id);
  const { data, error, retry } = useData('payouts', { id }, () => load(id));
  return (
    <Screen
      title={t('console-payouts.number', { id: String(id) })}
      back={{ href: '/console/payouts', label: t('console.nav.payouts') }}
    >
      {data ? (
        // Notices belong to one payout.
        <Shown key={id} {...data} />
      ) : (
        <PendingCard error={error} retry={retry} lines={8} />
      )}
    </Screen>
  );
}

type ShownProps = Awaited<ReturnType<typeof load>>;

function Shown({ payout, entries, isUnknown }: ShownProps) {
  const { id } = payout;
  const [, navigate] = useLocation();
  const search = useSearch();
  const path = `/console/payouts/${id}`;
  const [done, setDone] = useState<string>();
  const [isOvertaken, setOvertaken] = useState(false);
  const acts = actsOf(payout.status, isUnknown);
  const wanted = new URLSearchParams(search).get('act');
  const act = acts.find((known) => known === wanted);
  const hrefOf = (other: PayoutAct | undefined) => withQuery(path, search, { act: other });
  const close = () => navigate(hrefOf(undefined), { replace: true });
  const finish = async (sentence: string | undefined) => {
    await refresh('payouts');
    setDone(sentence);
    setOvertaken(sentence === undefined);
    close();
  };
  return (
    <>
      <StatusLine kind="good">{done}</StatusLine>
      {isOvertaken && <OvertakenNotice payout={payout} entries={entries} />}
      {isUnknown ? (
        <Notice kind="warn">{t('console-payouts.unknownText')}</Notice>
      ) : (
        payout.failure_reason && <Notice kind="warn">{reasonOf(payout.failure_reason)}</Notice>
      )}
      <AffiliateNotes affiliateId={payout.user.id} />
      <div class="detail">
        <div class="detail-main">
          <PayoutFacts payout={payout} acts={acts} hrefOf={hrefOf} />
          <PayoutEarnings payout={payout} />
        </div>
        <PayoutTimeline entries={entries} />
      </div>
      {act === 'resolve' ? (
        <ResolveDialog payout={payout} onClose={close} onDone={finish} />
      ) : (
        act && <ActDialog key={act} act={act} payout={payout} onClose={close} onDone={finish} />
      )}
    </>
  );
}

interface OvertakenNoticeProps {
  payout: Payout;
  entries: readonly PayoutTimelineEntry[];
}

/** Says that another person or the gateway changed the payout first: who, when, and what it is now. */
function OvertakenNotice({ payout, entries }: OvertakenNoticeProps) {
  const last = stepsOf(entries).findLast(({ kind }) => kind === 'status');
  const state = stateName(payout.status);
  const date = last ? formatDate(last.at, 'exact') : '';
  return (
    <Notice kind="warn">
      {last?.actor === undefined
        ? t('console-payouts.overtakenAt', { state, date })
        : t('console-payouts.overtakenBy', { state, date, name: last.actor })}{' '}
      {t('console-payouts.nothingChanged')}
    </Notice>
  );
}

/** Everything that happened to a payout, the newest first: changes, calls of the gateway, mails, ledger entries. */
function PayoutTimeline({ entries }: { entries: readonly PayoutTimelineEntry[] }) {
  return (
    <Card title={t('console-payouts.timeline.title')}>
      <ol class="timeline payout-timeline" aria-label={t('console-payouts.timeline.title')}>
        {stepsOf(entries)
          .toReversed()
          .map(({ kind, at, title, detail, actor, isBad }, position) => (
            <li key={position} data-kind={kind} data-state={isBad ? 'bad' : 'done'}>
              {title}
              {detail !== undefined && <span class="timeline-date">{detail}</span>}
              <span class="timeline-date">
                {actor === undefined
                  ? formatDate(at, 'exact')
                  : t('console-payouts.timeline.by', {
                      date: formatDate(at, 'exact'),
                      name: actor,
                    })}
              </span>
            </li>
          ))}
      </ol>
    </Card>
  );
}
