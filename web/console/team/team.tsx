import { useLocation } from 'wouter-preact';
import type { TeamMember } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { textColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { Invite } from './invite.tsx';
import { Member } from './member.tsx';

/** The people that run the program: administrators and managers. */
export function Team() {
  const address = useAddress('/console/team');
  const [, navigate] = useLocation();
  const { me } = useSession();
  const { page } = address;
  const list = useData('team', { page, per_page: 25 }, (input) => api.team.list(input));
  const close = () => navigate(address.hrefOf({ dialog: undefined, member: undefined }));
  const openId = Number(address.get('member'));
  const open = list.data?.items.find(({ id }) => id === openId);
  return (
    <Screen
      title={t('console.nav.team')}
      aside={
        <Button onClick={() => navigate(address.hrefOf({ dialog: 'invite' }))}>
          {t('console-team.invite')}
        </Button>
      }
    >
      <Listing
        address={address}
        caption={t('console.nav.team')}
        list={list}
        columns={columnsFor(me.user.id)}
        keyOf={({ id }) => id}
        nameOf={({ display_name }) => display_name}
        hrefOf={({ id }) => address.hrefOf({ member: String(id) })}
        filters={[]}
        empty={<EmptyState of="console-team.empty" />}
      />
      {address.get('dialog') === 'invite' && <Invite onClose={close} />}
      {open && <Member key={open.id} member={open} onClose={close} />}
    </Screen>
  );
}

const columnsFor = (ownId: number): readonly Column<TeamMember>[] => [
  {
    key: 'name',
    label: t('console-team.person'),
    phone: 'title',
    cell: ({ id, login, display_name: name }) => (
      <>
        {name || login}
        {id === ownId && <span class="muted"> ({t('console-team.you')})</span>}
      </>
    ),
  },
  {
    key: 'email',
    label: t('console-team.email'),
    phone: 'detail',
    cell: ({ email }) => <span class="breakable">{email}</span>,
  },
  textColumn('role', t('console-team.role'), 'aside', ({ role }) => t(`console-team.role.${role}`)),
  textColumn('two-factor', t('console-team.twoFactor'), 'none', ({ two_factor: has }) =>
    has ? t('console-team.yes') : t('console-team.no'),
  ),
  {
    key: 'seen',
    label: t('console-team.lastSeen'),
    phone: 'none',
    cell: ({ last_seen: seen }) => (seen ? <Moment date={seen} /> : t('console-team.never')),
  },
  {
    key: 'state',
    label: t('console-team.state'),
    phone: 'state',
    cell: (member) => <MemberState member={member} />,
  },
];

function MemberState({ member }: { member: TeamMember }) {
  if (member.disabled) return <Pill kind="bad">{t('console-team.disabled')}</Pill>;
  if (!member.has_password) return <Pill kind="warn">{t('console-team.invited')}</Pill>;
  return <Pill kind="good">{t('console-team.active')}</Pill>;
}
