import { Link } from 'wouter-preact';
import type { Overview } from '../../../sdk/src/index.ts';
import { Card } from '../../ui/card.tsx';
import { NextIcon } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { said } from '../../said.ts';
import { hasWord, t } from '../../words.ts';
import { addonNeeds, type NeedPlace } from '../addon-parts.ts';
import { NeedNames } from './need-names.tsx';

type Need = Overview['needs'][number];

/** Where the team acts on what waits. Those of lower positions come first: money, then people, then machines. */
const known: Readonly<Record<string, NeedPlace>> = {
  applications: { href: '/console/applications', position: 60 },
  mails_failed: { href: '/console/outbox?state=failed', position: 110 },
  mails_waiting: { href: '/console/outbox?state=pending', position: 120 },
  ...addonNeeds,
};

/** Those of extensions, which are not known, come first. */
const byImportance = (a: Need, b: Need) =>
  (known[a.name]?.position ?? 0) - (known[b.name]?.position ?? 0);

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
              {need.items.length > 0 && !known[need.name]?.hasPeople && (
                <ul class="need-items">
                  {need.items.map(({ id, name, reason }) => (
                    <li key={id}>
                      <Link href={`${known[need.name]?.href}/${id}`}>{name}</Link>
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

function NeedLink({ need }: { need: Need }) {
  const { name, title, count, amount } = need;
  const { href, hasPeople = false } = known[name] ?? {};
  const words = `console-overview.need.${name}`;
  const text = hasWord(`${words}.other`)
    ? // An add-on can add needs that the console has no words for.
      t(words as 'console-overview.need.applications', { count })
    : t('console-overview.otherNeed', { title, count });
  const content = (
    <>
      <span>{text}</span>
      {amount !== null && <Money amount={amount} />}
      <NeedNames need={need} hasPeople={hasPeople} />
      {href && <NextIcon aria-hidden />}
    </>
  );
  return href ? <Link href={href}>{content}</Link> : <span>{content}</span>;
}
