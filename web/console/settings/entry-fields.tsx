import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { hasWord, t } from '../../words.ts';
import type { EntrySchema, SettingSchema } from './setting-schema.ts';

export type Entries = Readonly<Record<string, string | number>>;

/** More lines than these are no form; such a list comes from a program. */
export const ENTRIES_SHOWN_MAX = 100;

interface Row {
  readonly id: number;
  readonly name: string;
  /** As it was typed or chosen. */
  readonly value: string;
}

interface EntryFieldsProps {
  setting: SettingSchema;
  entry: EntrySchema;
  hint: string;
  error: string | undefined;
  value: Entries;
  choiceName(choice: string): string;
  onSet(value: Entries): void;
  onError(error: string): void;
}

/** Lines with a name and what it means, such as a status of the store and the status of an order. */
export function EntryFields(props: EntryFieldsProps) {
  const { setting, entry, hint, error, value, choiceName, onSet, onError } = props;
  const { key, title, isFixed } = setting;
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(value).map(([name, one], id) => ({ id, name, value: String(one) })),
  );
  const words = (part: 'name' | 'value') => {
    const own = `console-settings.entry.${key.replaceAll('.', '-')}.${part}`;
    if (hasWord(own)) return t(own);
    return t(
      entry.isText ? `console-settings.entry.text.${part}` : `console-settings.entry.${part}`,
    );
  };
  const change = (next: readonly Row[]) => {
    setRows(next);
    const read = readEntries(next, entry);
    if (read) onSet(read);
    else onError(t('console-settings.badEntries'));
  };
  const changeRow = (id: number, changes: Partial<Row>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  const newId = 1 + Math.max(-1, ...rows.map(({ id }) => id));
  const common = { required: true, disabled: isFixed };
  return (
    <fieldset class="field entries" aria-describedby={`${key}-hint`} disabled={isFixed}>
      <legend>{title}</legend>
      <p class="field-hint" id={`${key}-hint`}>
        <WithCode text={hint} />
      </p>
      {rows.map(({ id, name, value: typed }) => (
        <div class="entry" key={id}>
          <Field
            {...common}
            name={`${key}.${id}.name`}
            label={words('name')}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            defaultValue={name}
            onInput={(event) => changeRow(id, { name: event.currentTarget.value })}
          />
          {entry.choices.length > 0 ? (
            <SelectField
              {...common}
              name={`${key}.${id}.value`}
              label={words('value')}
              options={entry.choices.map((one) => ({ value: one, label: choiceName(one) }))}
              value={typed}
              onChange={(event) => changeRow(id, { value: event.currentTarget.value })}
            />
          ) : (
            <Field
              {...common}
              name={`${key}.${id}.value`}
              label={words('value')}
              {...(entry.isText
                ? { maxLength: entry.maxLength }
                : { type: 'number', inputMode: 'decimal', step: 'any' })}
              min={entry.minimum}
              max={entry.maximum}
              defaultValue={typed}
              onInput={(event) => changeRow(id, { value: event.currentTarget.value })}
            />
          )}
          <Button
            type="button"
            kind="quiet"
            aria-label={t('console-settings.removeEntry', { name })}
            onClick={() => change(rows.filter((row) => row.id !== id))}
          >
            {t('console-settings.remove')}
          </Button>
        </div>
      ))}
      {error && <p class="field-fault">{error}</p>}
      {!isFixed && rows.length < Math.min(entry.max, ENTRIES_SHOWN_MAX) && (
        <div>
          <Button
            type="button"
            kind="quiet"
            onClick={() =>
              change([...rows, { id: newId, name: '', value: entry.choices[0] ?? '' }])
            }
          >
            {t('console-settings.addEntry')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Undefined when a name or a number is missing or wrong, or a name is there twice. */
function readEntries(rows: readonly Row[], entry: EntrySchema): Entries | undefined {
  const { choices, isText, minimum = -Infinity, maximum = Infinity } = entry;
  const read = rows.map(({ name, value }) => {
    const number = value.trim() === '' ? NaN : Number(value);
    return [name.trim(), isText || choices.length > 0 ? value.trim() : number] as const;
  });
  const isRight = read.every(
    ([name, value]) =>
      entry.names.test(name) &&
      (typeof value === 'string' ? value !== '' : value >= minimum && value <= maximum),
  );
  const names = new Set(read.map(([name]) => name));
  return isRight && names.size === rows.length ? Object.fromEntries(read) : undefined;
}
