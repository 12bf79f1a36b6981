import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import { looksLikeEmail, subNames, type Subs } from './make-link.ts';

interface SubFieldsProps {
  subs: Subs;
  onInput(subs: Subs): void;
  /** A field was left: the address keeps its value. */
  onChange(): void;
}

/** The affiliate's own ids, in a part that opens: most affiliates need none. */
export function SubFields({ subs, onInput, onChange }: SubFieldsProps) {
  const [isOpen] = useState(() => subNames.some((name) => subs[name] !== ''));
  return (
    <details class="link-subs" open={isOpen}>
      <summary>{t('portal-links.subs')}</summary>
      <p class="muted">{t('portal-links.subsHint')}</p>
      <div class="link-sub-fields">
        {subNames.map((name, i) => (
          <Field
            key={name}
            id={name}
            name={name}
            autoComplete="off"
            maxLength={200}
            label={t('portal.links.sub', { number: i + 1 })}
            error={looksLikeEmail(subs[name]) ? t('portal-links.subEmail') : undefined}
            value={subs[name]}
            onInput={(event) => onInput({ ...subs, [name]: event.currentTarget.value })}
            onChange={onChange}
          />
        ))}
      </div>
    </details>
  );
}
