import { Link } from 'wouter-preact';
import { hasCode } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { EventList } from '../activity/event-list.tsx';

const SHOWN = 8;
/** An order that is completed has several events, which are one entry. */
const READ = 3 * SHOWN;

/** The newest entries of the log. */
export function LatestEvents() {
  const { data, error, retry } = useData('events', { per_page: READ }, (input) =>
    api.events.search(input),
  );
  return (
    <Card labelledBy="events">
      <div class="card-head">
        <h2 id="events">{t('console-overview.events')}</h2>
        <Link href="/console/activity">{t('console-overview.allEvents')}</Link>
      </div>
      {data ? (
        data.items.length === 0 ? (
          <p class="muted">{t('console-overview.noEvents')}</p>
        ) : (
          <EventList events={data.items} names={data.names} most={SHOWN} heading="h3" />
        )
      ) : hasCode(error, 'svc_api_log_disabled') ? (
        <p class="muted">{t('console-overview.feedOff')}</p>
      ) : (
        <Pending error={error} retry={retry} lines={SHOWN} height="1.5rem" />
      )}
    </Card>
  );
}
