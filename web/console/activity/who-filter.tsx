import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { FoundEvent } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import type { Address } from '../../frame/address.ts';
import { useSession } from '../../session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { Option } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { AffiliateField, affiliateWithLogin } from '../affiliates/affiliate-field.tsx';

/** In the address, `who` is the id of a person, or one of these. */
const ME = 'me';
const SYSTEM = 'system';
const OTHER = 'other';

export function useChosenPerson(address: Address): number | undefined {
  const { me } = useSession();
  const who = address.get('who');
  if (who === ME) return me.user.id;
  if (who === SYSTEM) return 0;
  return /^[1-9]\d{0,14}$/.test(who) ? Number(who) : undefined;
}

/** You, the system, the team as far as the person may see it, the chosen person, and the way to any affiliate. */
export function useWhoOptions(address: Address, shown: readonly FoundEvent[]): Option[] {
  const { me, account } = useSession();
  const team = useData(
    'team',
    account.role === 'administrator' ? { per_page: 100 } : undefined,
    (input) => api.team.list(input),
  ).data?.items;
  const who = address.get('who');
  const colleagues = (team ?? [])
    .filter(({ id }) => id !== me.user.id)
    .map(({ id, display_name }) => ({ value: String(id), label: display_name }));
  const known = [
    { value: ME, label: t('console-activity.who.me') },
    { value: SYSTEM, label: t('console-activity.who.system') },
    ...colleagues,
  ];
  const isKnown = who === '' || who === OTHER || known.some(({ value }) => value === who);
  const name = shown.find(({ user }) => String(user?.id) === who)?.user?.name;
  return [
    ...known,
    ...(isKnown
      ? []
      : [{ value: who, label: name ?? t('console-activity.who.number', { id: who }) }]),
    { value: OTHER, label: t('console-activity.who.person') },
  ];
}

/** Asks for an affiliate after "Another person…" was chosen. */
export function WhoDialog({ address }: { address: Address }) {
  const [, navigate] = useLocation();
  const [isUnknown, setUnknown] = useState(false);
  if (address.get('who') !== OTHER) return null;
  const choose = (who: string | undefined) =>
    navigate(address.hrefOf({ who, before: undefined }), { replace: true });
  return (
    <Dialog title={t('console-activity.who.person')} onClose={() => choose(undefined)}>
      <Form
        action={t('console-activity.who.show')}
        submit={async ({ login = '' }) => {
          const id = await affiliateWithLogin(login);
          setUnknown(!id);
          if (id) choose(String(id));
        }}
      >
        <AffiliateField
          name="login"
          label={t('console-activity.who.affiliate')}
          required
          error={isUnknown ? t('console-activity.who.unknown') : undefined}
        />
      </Form>
    </Dialog>
  );
}
