import { useId } from 'preact/hooks';
import { AreaField, Field, SelectField } from '../../ui/field.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { languages } from '../../../src/shared/languages.ts';
import { ownNames } from '../../language-names.ts';
import { currencyGroups, zoneGroups } from '../../place-options.ts';
import { hasWord, t } from '../../words.ts';
import { errors, setChange, setError } from './draft.ts';
import { ENTRIES_SHOWN_MAX, EntryFields, type Entries } from './entry-fields.tsx';
import { wordsOf, type SettingSchema, type Version } from './setting-schema.ts';

interface SettingFieldProps {
  setting: SettingSchema;
  /** What is stored, or was when the first change was made. */
  version: Version;
  value: unknown;
  /** Why the service would refuse the value. */
  refusal: string | undefined;
}

/** Replaces a secret in what the service answers. */
const MASK = '********';
/** Longer than an e-mail address. */
const LONG_TEXT = 320;

/** A field for a setting, drawn from its schema. */
export function SettingField({ setting, version, value, refusal }: SettingFieldProps) {
  const { key, title, type, help, choices, itemChoices } = setting;
  // Some say no more than the name.
  const explained = help.replace(/\.$/, '') === title ? undefined : help;
  const hints = [explained, setting.isFixed && t('console-settings.fixed')];
  const set = (next: unknown) => setChange(version, key, next);
  const common = {
    name: key,
    label: title,
    error: errors.value[key] ?? (refusal && t('console-settings.refused', { reason: refusal })),
    disabled: setting.isFixed,
    required: true,
    autocomplete: 'off',
  };
  const hint = (more?: string) => [...hints, more, defaultHint(setting)].filter(Boolean).join(' ');

  if (type === 'boolean') {
    return (
      <SwitchField
        name={key}
        label={title}
        hint={hint()}
        isOn={value === true}
        isDisabled={setting.isFixed}
        onSwitch={set}
      />
    );
  }
  if (choices.length > 0) {
    return (
      <SelectField
        {...common}
        hint={hint()}
        options={choices.map((choice) => ({ value: choice, label: choiceName(key, choice) }))}
        value={String(value)}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  }
  const groups = groupsOf(key);
  if (groups) {
    const isListed = groups.some(({ options }) => options.some((one) => one.value === value));
    return (
      <SelectField
        {...common}
        hint={hint()}
        options={isListed ? [] : [{ value: String(value), label: String(value) }]}
        groups={groups}
        value={String(value)}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  }
  if (type === 'integer' || type === 'number') {
    return (
      <Field
        {...common}
        hint={hint()}
        type="number"
        inputMode={type === 'integer' ? 'numeric' : 'decimal'}
        step={type === 'integer' ? 1 : 'any'}
        min={setting.minimum}
        max={setting.maximum}
        defaultValue={String(value)}
        onInput={(event) => {
          const number = event.currentTarget.valueAsNumber;
          if (Number.isNaN(number)) setError(key, t('console-settings.badNumber'));
          else set(number);
        }}
      />
    );
  }
  if (type === 'array' && itemChoices.length > 0) {
    return <ManyChoices setting={setting} hint={hint()} value={value as string[]} onSet={set} />;
  }
  if (type === 'array' && setting.itemType !== 'object') {
    const isNumbers = setting.itemType === 'number' || setting.itemType === 'integer';
    const more = isNumbers ? t('console-settings.numbers') : t('console-settings.onePerLine');
    return (
      <AreaField
        {...common}
        hint={hint(more)}
        rows={isNumbers ? 1 : 3}
        value={(value as unknown[]).join(isNumbers ? ', ' : '\n')}
        onInput={(event) => {
          const parts = event.currentTarget.value.split(/[\n,]/).map((part) => part.trim());
          const items = parts.filter(Boolean);
          const numbers = items.map(Number);
          if (!isNumbers) set(items);
          else if (numbers.some(Number.isNaN)) setError(key, t('console-settings.badNumber'));
          else set(numbers);
        }}
      />
    );
  }
  if (setting.entry && Object.keys(value as Entries).length <= ENTRIES_SHOWN_MAX) {
    return (
      <EntryFields
        setting={setting}
        entry={setting.entry}
        hint={hint()}
        error={common.error}
        value={value as Entries}
        choiceName={(choice) => choiceName(key, choice)}
        onSet={set}
        onError={(error) => setError(key, error)}
      />
    );
  }
  if (type === 'array' || type === 'object') {
    return (
      <AreaField
        {...common}
        hint={hint(t('console-settings.json'))}
        rows={6}
        spellcheck={false}
        value={JSON.stringify(value, null, 2)}
        onInput={(event) => {
          try {
            set(JSON.parse(event.currentTarget.value) as unknown);
          } catch {
            setError(key, t('console-settings.badJson'));
          }
        }}
      />
    );
  }
  if (setting.isSecret) {
    const isStored = version.values[key] === MASK;
    return (
      <Field
        {...common}
        hint={hint(isStored ? t('console-settings.secretSet') : undefined)}
        type="password"
        autocomplete="new-password"
        placeholder={isStored ? MASK : ''}
        defaultValue={value === MASK ? '' : String(value)}
        onInput={(event) => set(event.currentTarget.value || (isStored ? MASK : ''))}
      />
    );
  }
  if (
    (setting.maxLength ?? 0) > LONG_TEXT &&
    setting.maxLength! < 10_000 &&
    !key.endsWith('_url')
  ) {
    return (
      <AreaField
        {...common}
        hint={hint()}
        rows={setting.maxLength! > 5_000 ? 12 : 5}
        maxLength={setting.maxLength}
        value={String(value)}
        onInput={(event) => set(event.currentTarget.value)}
      />
    );
  }
  return (
    <Field
      {...common}
      hint={hint()}
      maxLength={setting.maxLength}
      defaultValue={String(value)}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}

/** Settings whose values are known to the browser. */
function groupsOf(key: string) {
  if (key === 'site.currency') return currencyGroups();
  return key === 'site.timezone' ? zoneGroups(Intl.supportedValuesOf('timeZone')) : undefined;
}

/** Languages, statuses of orders and payout methods by their names; other choices as the API has them. */
function choiceName(key: string, choice: string): string {
  const language = languages.find((one) => one === choice);
  if (language && key.endsWith('language')) return ownNames[language];
  const part = key.startsWith('payouts.') ? 'console-payouts.method' : 'console-orders.status';
  const word = `${part}.${choice}`;
  return hasWord(word) ? t(word) : choice;
}

function defaultHint(setting: SettingSchema): string | undefined {
  const { key, default: defaultValue, isSecret, type, choices, itemChoices } = setting;
  const isChosen = choices.length > 0 || itemChoices.length > 0;
  const named = (one: unknown) => (isChosen ? choiceName(key, String(one)) : one);
  const value = Array.isArray(defaultValue) ? defaultValue.map(named) : named(defaultValue);
  if (isSecret || value === '' || type === 'object' || type === 'boolean') return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  return `${t('console-settings.default', { value: wordsOf(value) })}.`;
}

interface ManyChoicesProps {
  setting: SettingSchema;
  hint: string;
  value: readonly string[];
  onSet(value: string[]): void;
}

function ManyChoices({ setting, hint, value, onSet }: ManyChoicesProps) {
  const id = useId();
  return (
    <fieldset class="field choices" aria-describedby={id} disabled={setting.isFixed}>
      <legend>{setting.title}</legend>
      <div class="choices-list">
        {setting.itemChoices.map((choice) => (
          <label key={choice}>
            <input
              type="checkbox"
              checked={value.includes(choice)}
              onChange={({ currentTarget: { checked } }) =>
                onSet(
                  setting.itemChoices.filter((one) =>
                    one === choice ? checked : value.includes(one),
                  ),
                )
              }
            />
            {choiceName(setting.key, choice)}
          </label>
        ))}
      </div>
      <p class="field-hint" id={id}>
        <WithCode text={hint} />
      </p>
    </fieldset>
  );
}
