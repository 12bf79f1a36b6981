import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { FoundEvent, FoundEvents } from '../../../sdk/src/index.ts';
import { formatDate, formatRelative } from '../../format.ts';
import type { Address } from '../../frame/address.ts';
import { Facts } from '../../ui/facts.tsx';
import { NextIcon } from '../../ui/icons.tsx';
import { formatNumber, t } from '../../words.ts';
import { useAddonNames } from '../addon-parts.ts';
import { entriesOf, piecesOf, type Entry, type FurtherNames } from './event-text.ts';
import './event-list.css';

type Names = FoundEvents['names'];

interface EventListProps {
  events: readonly FoundEvent[];
  names: Names;
  stale?: boolean;
  /** Of the log: a person leads to everything that they did. */
  address?: Address;
  /** The titles of settings; without them, it says how many were changed. */
  settings?: FurtherNames;
  /** Shows at most this many entries. */
  most?: number;
  /** The headings of the days, below that of the card if it has one. */
  heading?: 'h2' | 'h3';
}

/** What happened, by day: the time, the sentence, who did it; the record behind it on demand. */
export function EventList(props: EventListProps) {
  const { events, names, stale = false, address, most, heading: Heading = 'h2' } = props;
  const further = new Map([...useAddonNames(events), ...(props.settings ?? [])]);
  const entries = entriesOf(events).slice(0, most);
  const days = Map.groupBy(entries, ({ main }) => main.date.slice(0, 10));
  return (
    <div class="event-days" data-stale={stale}>
      {[...days].map(([day, own]) => (
        <section key={day} aria-label={formatDate(day, 'day')}>
          <Heading class="event-day">
            <Day day={day} />
          </Heading>
          <ul class="event-list">
            {own.map((entry) => (
              <Row
                key={entry.main.id}
                entry={entry}
                names={names}
                further={further}
                address={address}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** "Yesterday November 16", and the date alone for days that have no such word. */
function Day({ day }: { day: string }) {
  const relative = formatRelative(day);
  const date = formatDate(day, 'day');
  if (relative === formatDate(day, 'short')) return <>{date}</>;
  return (
    <>
      <span class="event-relative">{relative}</span> <span class="muted">{date}</span>
    </>
  );
}

interface RowProps {
  entry: Entry;
  names: Names;
  further: FurtherNames;
  address: Address | undefined;
}

function Row({ entry: { main, others }, names, further, address }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const all = [main, ...others];
  return (
    <li>
      <time class="muted figures" dateTime={main.date}>
        {formatDate(main.date, 'clock')}
      </time>
      <p class="event-what">
        <Sentence event={main} names={names} further={further} />
      </p>
      <p class="muted event-who">
        <Who user={main.user} address={address} />
      </p>
      <button
        type="button"
        class="event-toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {others.length > 0 && <span class="figures">+{formatNumber(others.length)}</span>}
        <span class="visually-hidden">{t('console-activity.details')}</span>
        <NextIcon aria-hidden />
      </button>
      {isOpen && (
        <div class="event-details">
          {others.map((event) => (
            <p key={event.id}>
              <Sentence event={event} names={names} further={further} />
            </p>
          ))}
          {all.map((event) => (
            <Record key={event.id} event={event} />
          ))}
        </div>
      )}
    </li>
  );
}

interface SentenceProps {
  event: FoundEvent;
  names: Names;
  further: FurtherNames;
}

function Sentence({ event, names, further }: SentenceProps) {
  return (
    <span>
      {piecesOf(event, names, further).map(({ text, href }, i) =>
        href === undefined ? (
          text
        ) : (
          <Link key={i} href={href}>
            {text}
          </Link>
        ),
      )}
    </span>
  );
}

function Who({ user, address }: { user: FoundEvent['user']; address: Address | undefined }) {
  if (!user) return <>{t('console-activity.who.system')}</>;
  if (!address) return <>{user.name}</>;
  return (
    <Link href={address.hrefOf({ who: String(user.id), before: undefined })}>{user.name}</Link>
  );
}

/** The event as the API has it. */
function Record({ event }: { event: FoundEvent }) {
  return (
    <Facts
      facts={[
        { name: t('console-activity.detail.event'), value: <code>{event.event}</code> },
        { name: t('console-activity.detail.exact'), value: formatDate(event.date, 'exact') },
        { name: t('console-activity.detail.number'), value: String(event.id) },
        {
          name: t('console-activity.detail.data'),
          value: <code>{JSON.stringify(event.data)}</code>,
        },
      ]}
    />
  );
}
