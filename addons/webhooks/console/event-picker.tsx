import { useState } from 'preact/hooks';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { Choice } from '../../../web/ui/choice.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import type { FormValues } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';

const PREFIX = 'event:';
const ALL = '*';

/** The events that were chosen in a form with `EventPicker`. */
export function eventsIn(values: FormValues): string[] {
  if (values['subscription'] !== 'some') return [ALL];
  return Object.keys(values)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
}

/** All events, or some of them, each with what it means. */
export function EventPicker({ chosen }: { chosen: readonly string[] }) {
  const [subscription, setSubscription] = useState(chosen.includes(ALL) ? 'all' : 'some');
  const { data, error, retry } = useData('webhook-events', {}, () =>
    Array.fromAsync(api.webhooks.events.list({ per_page: 100 })),
  );
  return (
    <>
      <Choice
        name="subscription"
        legend={t('console-webhooks.events')}
        current={subscription}
        onChoose={setSubscription}
        options={[
          {
            value: 'all',
            label: t('console-webhooks.eventsAll'),
            hint: t('console-webhooks.eventsAllHint'),
          },
          { value: 'some', label: t('console-webhooks.eventsSome') },
        ]}
      />
      {subscription === 'some' &&
        (data ? (
          <ul class="event-picker" aria-label={t('console-webhooks.eventsSome')}>
            {data.map(({ event, description }) => (
              <li key={event}>
                <label>
                  <input
                    type="checkbox"
                    name={PREFIX + event}
                    defaultChecked={chosen.includes(event)}
                  />
                  <span>
                    <code>{event}</code>
                    <span class="field-hint">{description}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        ) : (
          <Pending error={error} retry={retry} lines={6} />
        ))}
    </>
  );
}
