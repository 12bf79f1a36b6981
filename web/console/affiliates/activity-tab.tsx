import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { EventList } from '../activity/event-list.tsx';
import type { TabProps } from './tab-props.ts';

const SHOWN = 25;

/** The latest events about the affiliate; the log has the others. */
export function ActivityTab({ affiliate }: TabProps) {
  const { id } = affiliate;
  const { data, error, retry, stale } = useData('affiliates', { id, part: 'activity' }, () =>
    api.events.search({ object_type: 'affiliate', object_id: id, per_page: SHOWN }),
  );
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
          <EventList events={data.items} names={data.names} stale={stale} />
          <p>
            <Link class="lone-link" href={`/console/activity?about=affiliate&q=${id}`}>
              {t('console-affiliates.allActivity')}
            </Link>
          </p>
        </>
      )}
    </Card>
  );
}
