import type { MailName } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { ownNames } from '../../language-names.ts';
import { textColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Pill } from '../../ui/pill.tsx';
import { formatNumber, t } from '../../words.ts';
import { kindOf, mailKinds, sentWhen, titleOf } from './mail-title.ts';
import './mails.css';

const PATH = '/console/mails';

/** Every mail that the service sends, and the languages in which the store has a text of its own. */
export function Mails() {
  const address = useAddress(PATH);
  const list = useData('mails', {}, () => api.mails.list());
  const q = address.get('q').toLowerCase();
  const texts = address.oneOf('texts', ['own', 'built-in']);
  const isNarrowed = q !== '' || texts !== undefined;
  const items = list.data?.items.filter(
    (mail) =>
      `${titleOf(mail.name)} ${sentWhen(mail)} ${mail.texts.map(({ subject }) => subject).join(' ')}`
        .toLowerCase()
        .includes(q) &&
      (texts === undefined || mail.texts.some(({ is_own }) => is_own) === (texts === 'own')),
  );
  const ofKind = (kind: string | undefined) =>
    items?.filter(({ name }) => kindOf(name) === kind) ?? [];
  const found = mailKinds.filter((kind) => ofKind(kind).length > 0);
  // A list of none says that nothing matches.
  const shown = found.length > 0 ? found : [undefined];
  return (
    <Screen title={t('console.nav.mails')}>
      <p class="muted">{t('console-mails.intro')}</p>
      <FilterBar
        address={address}
        search={t('console-mails.search')}
        filters={[
          {
            name: 'texts',
            label: t('console-mails.texts'),
            options: [
              { value: 'own', label: t('console-mails.own') },
              { value: 'built-in', label: t('console-mails.builtIn') },
            ],
          },
        ]}
      />
      {shown.map((kind, i) => (
        <Listing
          key={`${kind} ${isNarrowed}`}
          address={address}
          {...(kind && {
            title: `${t(`console-mails.kind.${kind}`)} (${formatNumber(ofKind(kind).length)})`,
            fold: i === 0 || isNarrowed ? 'open' : 'closed',
          })}
          caption={kind ? t(`console-mails.kind.${kind}`) : t('console.nav.mails')}
          list={{ ...list, data: items && { items: ofKind(kind), pages: 1 } }}
          columns={columns}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => `${PATH}/${name}`}
          filters={['q', 'texts']}
          empty={null}
        />
      ))}
    </Screen>
  );
}

const columns: readonly Column<MailName>[] = [
  textColumn('about', t('console-mails.about'), 'title', ({ name }) => titleOf(name)),
  {
    key: 'sent',
    label: t('console-mails.sentWhen'),
    phone: 'detail',
    cell: (mail) => <span class="mails-about">{sentWhen(mail)}</span>,
  },
  {
    key: 'own',
    label: t('console-mails.own'),
    phone: 'state',
    cell: ({ texts }) => (
      <span class="mails-own">
        {texts
          .filter(({ is_own }) => is_own)
          .map(({ language }) => (
            <Pill key={language} kind="accent">
              {ownNames[language]}
            </Pill>
          ))}
      </span>
    ),
  },
];
