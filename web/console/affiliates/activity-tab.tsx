import { Link } from 'wouter-preact';
import type { FoundEvent } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { t } from '../../words.ts';
import type { TabProps } from './list-tabs.tsx';

const SHOWN = 25;

/** The latest events about the affiliate; the log has the others. */
export function ActivityTab({ affiliate }: TabProps) {
  const { id } = affiliate;
  const { data, error, retry, stale } = useData('affiliates', { id, part: 'activity' }, () =>
    api.events.search({ object_type: 'affiliate', object_id: id, per_page: SHOWN }),
  );
  const columns: readonly Column<FoundEvent>[] = [
    {
      key: 'what',
      label: t('console-affiliates.event'),
      phone: 'title',
      cell: ({ info }) => info,
    },
    {
      key: 'who',
      label: t('console-affiliates.who'),
      phone: 'detail',
      cell: ({ user }) => user?.name ?? t('console-affiliates.service'),
    },
    {
      key: 'when',
      label: t('console-affiliates.date'),
      isNumber: true,
      phone: 'aside',
      cell: ({ date }) => <Moment inLog date={date} />,
    },
  ];
  return (
    <Card>
      {!data && <Pending error={error} retry={retry} lines={6} />}
      {data?.items.length === 0 && (
        <EmptyState title={t('console-affiliates.none.activity.title')}>
          {t('console-affiliates.none.activity.text')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <>
          <DataTable
            caption={t('console-affiliates.tab.activity')}
            columns={columns}
            rows={data.items}
            keyOf={(event) => event.id}
            stale={stale}
          />
          <p>
            <Link href={`/console/activity?about=affiliate&q=${id}`}>
              {t('console-affiliates.allActivity')}
            </Link>
          </p>
        </>
      )}
    </Card>
  );
}
