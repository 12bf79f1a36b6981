import { Link } from 'wouter-preact';
import { hasCode } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { t } from '../../words.ts';
import { hrefOfObject } from '../object-link.tsx';
import { screens } from '../screens.ts';

const SHOWN = 8;

/** The newest lines of the change feed, each with a link to what it is about. */
export function LatestEvents() {
  const { data, error, retry } = useData('events', {}, async () => {
    const { items } = await api.events.list({ per_page: SHOWN });
    return items;
  });
  const activity = screens.find(({ name }) => name === 'activity');
  return (
    <Card labelledBy="events">
      <div class="card-head">
        <h2 id="events">{t('console-overview.events')}</h2>
        {activity && <Link href={activity.path}>{t('console-overview.allEvents')}</Link>}
      </div>
      {data ? (
        data.length === 0 ? (
          <p class="muted">{t('console-overview.noEvents')}</p>
        ) : (
          <ul class="events">
            {data.map(({ id, kind, object_id, info, date }) => (
              <li key={id}>
                <EventText href={hrefOfObject(kind, object_id)} info={info} />
                <span class="muted">
                  <Moment inLog date={date} />
                </span>
              </li>
            ))}
          </ul>
        )
      ) : hasCode(error, 'svc_api_log_disabled') ? (
        <p class="muted">{t('console-overview.feedOff')}</p>
      ) : (
        <Pending error={error} retry={retry} lines={SHOWN} height="1.5rem" />
      )}
    </Card>
  );
}

function EventText({ href, info }: { href: string | undefined; info: string }) {
  return href ? <Link href={href}>{info}</Link> : <span>{info}</span>;
}
