import { Link } from 'wouter-preact';
import type { Overview } from '../../../sdk/src/index.ts';
import { Card } from '../../ui/card.tsx';
import { NextIcon } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { said } from '../../said.ts';
import { hasWord, t } from '../../words.ts';

type Need = Overview['needs'][number];

/** Where the team acts on what waits, in the order in which it is shown. */
const hrefs: Readonly<Record<string, string>> = {
  applications: '/console/applications',
  personal_pages: '/console/personal-pages?state=waiting',
  cases_answered: '/console/review',
  cases_open: '/console/review',
  messages_unread: '/console/messages?unread=1',
  payouts_to_review: '/console/payouts',
  payouts_failed: '/console/payouts?tab=failed',
  payouts_unresolved: '/console/payouts?tab=progress',
  stores_failing: '/console/stores',
  webhooks_failing: '/console/webhooks',
  mails_failed: '/console/outbox?state=failed',
  mails_waiting: '/console/outbox?state=pending',
};

const names = Object.keys(hrefs);

/** Those of add-ons, which are not in the list, come first. */
const byImportance = (a: Need, b: Need) => names.indexOf(a.name) - names.indexOf(b.name);

export function Needs({ needs }: { needs: readonly Need[] }) {
  return (
    <Card labelledBy="needs">
      <h2 id="needs">{t('console-overview.needs')}</h2>
      {needs.length === 0 ? (
        <p class="muted">{t('console-overview.nothingNeeded')}</p>
      ) : (
        <ul class="needs">
          {needs.toSorted(byImportance).map((need) => (
            <li key={need.name}>
              <NeedLink need={need} />
              {need.items.length > 0 && (
                <ul class="need-items">
                  {need.items.map(({ id, name, reason }) => (
                    <li key={id}>
                      <Link href={`${hrefs[need.name]}/${id}`}>{name}</Link>
                      {reason !== '' && <span class="muted"> {said(reason)}</span>}
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function NeedLink({ need: { name, title, count, amount } }: { need: Need }) {
  const href = hrefs[name];
  const words = `console-overview.need.${name}`;
  const text = hasWord(`${words}.other`)
    ? // An add-on can add needs that the console has no words for.
      t(words as 'console-overview.need.applications', { count })
    : t('console-overview.otherNeed', { title, count });
  const content = (
    <>
      <span>{text}</span>
      {amount !== null && <Money amount={amount} />}
      {href && <NextIcon aria-hidden />}
    </>
  );
  return href ? <Link href={href}>{content}</Link> : <span>{content}</span>;
}
