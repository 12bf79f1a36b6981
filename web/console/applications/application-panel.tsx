import { useLayoutEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ApplicationReview } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { announce } from '../../frame/announcer.tsx';
import { hasNavigated } from '../../frame/navigation.ts';
import { ownNames } from '../../language-names.ts';
import { Button } from '../../ui/button.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { hasWord, t } from '../../words.ts';
import { AffiliateNotes } from '../addon-notes.tsx';
import { reasonWords, StatusPill } from './application-words.tsx';
import '../../ui/side-panel.css';

interface PanelProps {
  id: number;
  closeHref: string;
  onAct(dialog: 'accept' | 'decline' | 'message'): void;
}

/** One application: what the applicant wrote, what to know before the decision, and what the team has done. */
export function ApplicationPanel({ id, closeHref, onAct }: PanelProps) {
  const { data, error, retry } = useData('applications', { id }, () =>
    api.registrations.review(id),
  );
  const name = data?.application.user.display_name;
  useLayoutEffect(() => {
    // The focus stays in the list, so that j and k go on.
    if (name !== undefined && hasNavigated()) announce(name);
  }, [name]);
  return (
    <section class="card stack side-panel" aria-labelledby="application-title">
      <div class="side-head">
        <h2 id="application-title">{name ?? `#${id}`}</h2>
        <Link class="dialog-close" href={closeHref} aria-label={t('common.close')}>
          <CloseIcon aria-hidden />
        </Link>
      </div>
      {data ? (
        <Content review={data} onAct={onAct} />
      ) : (
        <Pending error={error} retry={retry} lines={8} height="1.75rem" />
      )}
    </section>
  );
}

function Content({ review, onAct }: { review: ApplicationReview; onAct: PanelProps['onAct'] }) {
  const { application, notes, messages } = review;
  const { status } = application;
  return (
    <>
      <p class="side-state">
        <StatusPill application={application} />
        <span class="muted">{formatDate(application.date, 'exact')}</span>
      </p>
      <AffiliateNotes affiliateId={application.user.id} />
      <div class="side-actions">
        {status !== 'accepted' && (
          <Button type="button" onClick={() => onAct('accept')}>
            {t('console-applications.accept')}
          </Button>
        )}
        {status === 'pending' && (
          <Button kind="quiet" type="button" onClick={() => onAct('decline')}>
            {t('console-applications.decline')}
          </Button>
        )}
        <Button kind="quiet" type="button" onClick={() => onAct('message')}>
          {t('console-applications.message')}
        </Button>
      </div>
      <Notes notes={notes} />
      <Answers application={application} />
      <Decision application={application} />
      {messages.length > 0 && (
        <div class="stack">
          <h3>{t('console-applications.messages')}</h3>
          <ol class="side-messages">
            {messages.map((message) => (
              <li key={message.id}>
                <p class="muted">
                  {message.author.display_name} · {formatDate(message.date, 'exact')}
                </p>
                <p class="side-text">{message.text}</p>
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

const pillKinds = { high: 'bad', medium: 'warn', low: 'plain' } as const;

function Notes({ notes }: { notes: ApplicationReview['notes'] }) {
  if (notes.length === 0) {
    return <p class="muted">{t('console-applications.noNotes')}</p>;
  }
  return (
    <div class="stack">
      <h3>{t('console-applications.notes')}</h3>
      <ul class="side-notes">
        {notes.map(({ code, level, message, others }) => {
          const key = `console-applications.note.${code}`;
          return (
            <li key={code} data-level={level}>
              <p>
                <Pill kind={pillKinds[level]}>{t(`console-applications.level.${level}`)}</Pill>{' '}
                {hasWord(key) ? t(key) : message}
              </p>
              {others.length > 0 && (
                <p class="side-others">
                  {others.map((other) => (
                    <Link key={`${other.user_id}:${other.registration_id}`} href={hrefOf(other)}>
                      {other.display_name}
                      {other.status && ` (${t(`console-applications.state.${other.status}`)})`}
                    </Link>
                  ))}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type Other = ApplicationReview['notes'][number]['others'][number];

function hrefOf({ registration_id, user_id }: Other): string {
  return registration_id === null
    ? `/console/affiliates/${user_id}`
    : `/console/applications?view=all&open=${registration_id}`;
}

function Answers({ application }: Pick<ApplicationReview, 'application'>) {
  const { user, website, coupon_code, promote, referrer, type, language, custom_fields } =
    application;
  const text = (value: string) => <span class="side-text">{value}</span>;
  const optional = (name: string, value: string) => value !== '' && { name, value: text(value) };
  return (
    <Facts
      facts={[
        { name: t('console-applications.email'), value: text(user.email ?? '') },
        { name: t('console-applications.login'), value: text(user.login ?? '') },
        website !== '' && {
          name: t('console-applications.website'),
          value: (
            <a class="side-text" href={website} target="_blank" rel="noreferrer noopener">
              {website}
            </a>
          ),
        },
        optional(t('console-applications.promote'), promote),
        optional(t('console-applications.code'), coupon_code),
        optional(t('console-applications.referrer'), referrer),
        optional(t('console-applications.type'), type),
        ...Object.entries(custom_fields).map(([name, value]) => optional(name, value)),
        language !== '' && {
          name: t('console-applications.language'),
          value: ownNames[language as keyof typeof ownNames],
        },
      ]}
    />
  );
}

function Decision({ application }: Pick<ApplicationReview, 'application'>) {
  const { status, decided_by, decline_reason, decline_note, message } = application;
  if (status === 'pending') return null;
  const date = application.date_accepted ?? application.date_declined;
  return (
    <div class="stack">
      <h3>{t('console-applications.decision')}</h3>
      <Facts
        facts={[
          {
            name: t('console-applications.decidedBy'),
            value: decided_by?.display_name ?? t('console-applications.automatic'),
          },
          date !== null && {
            name: t('console-applications.decidedAt'),
            value: formatDate(date, 'exact'),
          },
          decline_reason !== null && {
            name: t('console-applications.reason'),
            value: reasonWords(decline_reason),
          },
          decline_note !== '' && {
            name: t('console-applications.note'),
            value: <span class="side-text">{decline_note}</span>,
          },
          message !== '' && {
            name: t('console-applications.told'),
            value: <span class="side-text">{message}</span>,
          },
        ]}
      />
    </div>
  );
}
