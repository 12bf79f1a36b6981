import { useState } from 'preact/hooks';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Field } from '../../ui/field.tsx';
import { t } from '../../words.ts';

interface AffiliateFieldProps {
  name: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  /** The login of the current one. */
  value?: string;
}

/** A login, with those that match what was typed so far. `affiliateWithLogin` finds who it is. */
export function AffiliateField({ name, value = '', hint, ...field }: AffiliateFieldProps) {
  const [text, setText] = useState('');
  const { data } = useData(
    'affiliates',
    text.length < 2 ? undefined : { search: text, per_page: 10 },
    (input) => api.affiliates.search(input),
  );
  return (
    <>
      <Field
        name={name}
        defaultValue={value}
        list={`${name}-list`}
        autocomplete="off"
        autocapitalize="none"
        maxLength={60}
        hint={hint ?? t('console.affiliateField')}
        onInput={(event) => setText(event.currentTarget.value.trim())}
        {...field}
      />
      <datalist id={`${name}-list`}>
        {data?.items.map(({ user }) => (
          <option key={user.id} value={user.login}>
            {user.display_name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** No affiliate has this id, so the service names the field as invalid. */
const NOBODY = 0;

/** The id of the affiliate with this login; null for no login. */
export async function affiliateWithLogin(login: string): Promise<number | null> {
  const wanted = login.trim().toLowerCase();
  if (wanted === '') return null;
  const { items } = await api.affiliates.search({ search: wanted, per_page: 100 });
  return items.find(({ user }) => user.login?.toLowerCase() === wanted)?.id ?? NOBODY;
}
