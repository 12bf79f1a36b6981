import { useState } from 'preact/hooks';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { t } from '../../../web/words.ts';

export interface ChosenAffiliate {
  readonly id: number;
  readonly name: string;
}

interface AffiliatesFieldProps {
  chosen: readonly ChosenAffiliate[];
  onChange(chosen: readonly ChosenAffiliate[]): void;
}

const FOUND_MAX = 5;

/** Single affiliates: those chosen, each with a button that removes it, and a search to add more. */
export function AffiliatesField({ chosen, onChange }: AffiliatesFieldProps) {
  const [text, setText] = useState('');
  const { data } = useData(
    'affiliates',
    text.length < 2 ? undefined : { search: text, per_page: 25 },
    (input) => api.affiliates.search(input),
  );
  const found = data?.items.filter(({ id }) => chosen.every((one) => one.id !== id)) ?? [];
  return (
    <fieldset class="field">
      <legend>{t('console-creatives.affiliates')}</legend>
      {chosen.length > 0 && (
        <ItemList
          items={chosen.map(({ id, name }) => ({
            key: id,
            title: name,
            action: (
              <Button
                type="button"
                kind="quiet"
                aria-label={t('console-creatives.removeAffiliate', { name })}
                onClick={() => onChange(chosen.filter((one) => one.id !== id))}
              >
                {t('console-creatives.remove')}
              </Button>
            ),
          }))}
        />
      )}
      <Field
        name="affiliate-search"
        type="search"
        label={t('console-creatives.findAffiliate')}
        hint={t('console-creatives.findAffiliateHint')}
        autocomplete="off"
        maxLength={60}
        value={text}
        onInput={(event) => setText(event.currentTarget.value.trimStart())}
        // The form around it is saved by its button.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {text.length >= 2 && found.length > 0 && (
        <ItemList
          items={found.slice(0, FOUND_MAX).map(({ id, user }) => ({
            key: id,
            title: user.display_name,
            detail: user.login,
            action: (
              <Button
                type="button"
                kind="quiet"
                aria-label={t('console-creatives.addAffiliate', { name: user.display_name })}
                onClick={() => {
                  onChange([...chosen, { id, name: user.display_name }]);
                  setText('');
                }}
              >
                {t('console-creatives.add')}
              </Button>
            ),
          }))}
        />
      )}
    </fieldset>
  );
}
